import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { useUser } from "#/features/auth/user.ts";
import { CodeBlock } from "#/features/content/code-block.tsx";
import { NextLinks, PageHero, PageSection } from "#/features/landing/parts.tsx";

const RULE = `feather api POST /admin/route-rules -d '{
  "path_glob": "/discord",
  "redirect_to": "https://discord.gg/your-invite",
  "external": true
}'`;

/** The community of the server. Operators who have one let this address lead there. */
export default function DiscordPage() {
  const { user } = useUser();
  return (
    <>
      <PageHero
        kicker={t`Community`}
        title={t`There is no Discord here yet`}
        lede={t`Whoever runs this server has not linked one. Until then, these are the places to ask and to tell.`}
      >
        <Link className="btn primary big" to="/docs/quickstart">
          {t`Docs`}
        </Link>
      </PageHero>
      <PageSection title={t`Before you ask`}>
        <NextLinks
          links={[
            { to: "/status", label: t`Status`, text: t`Whether something is wrong for everybody at this moment.` },
            {
              to: "/docs/errors",
              label: t`Errors`,
              text: t`Every code, and what to do. Name the request id when you ask for help.`,
            },
            { to: "/account/usage", label: t`Usage`, text: t`What your last requests took, and why one was refused.` },
          ]}
        />
      </PageSection>
      {user?.is_admin ? (
        <PageSection
          title={t`For admins: let this address lead to yours`}
          intro={t`A redirect rule sends everybody who opens /discord to your invitation.`}
        >
          <CodeBlock samples={[{ name: "CLI", lang: "bash", code: RULE }]} />
        </PageSection>
      ) : null}
    </>
  );
}
