import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { useUser } from "#/entities/session/user.ts";
import { NextLinks } from "#/features/landing/next-links.tsx";
import { PageHero } from "#/features/landing/page-hero.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { useContact } from "#/lib/site-config.ts";

const RULE = `feather api POST /admin/route-rules -d '{
  "path_glob": "/discord",
  "redirect_to": "https://discord.gg/your-invite",
  "external": true
}'`;

/** Links to the community of the server, if the operator has set one. */
export default function DiscordPage() {
  const { user } = useUser();
  const { email, communityUrl } = useContact();
  return (
    <>
      <PageHero
        kicker={t`Community`}
        title={communityUrl ? t`Where the people of this server meet` : t`This server has no community page`}
        lede={
          communityUrl
            ? t`The operator has set this address. It leads away from this site.`
            : t`Whoever runs it has set none. These are the places to ask and to tell.`
        }
      >
        {communityUrl ? (
          <a className="btn primary large" href={communityUrl} rel="noopener noreferrer">
            {t`Go to the community`}
          </a>
        ) : null}
        {email ? (
          <a className="btn large" href={`mailto:${email}`}>
            {t`Write to the operator`}
          </a>
        ) : null}
        <Link className={communityUrl ? "btn large" : "btn primary large"} to="/docs/quickstart">
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
          title={t`For admins: let this page lead to yours`}
          intro={t`The setting FEATHER_COMMUNITY_URL puts your address here. A redirect rule sends everybody who opens /discord there at once.`}
        >
          <CodeBlock samples={[{ name: "CLI", lang: "bash", code: RULE }]} />
        </PageSection>
      ) : null}
    </>
  );
}
