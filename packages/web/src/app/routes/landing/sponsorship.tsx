import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Link } from "react-router-dom";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { CopyBlock } from "#/components/ui/code/copy-block.tsx";
import { Form } from "#/components/ui/forms/form.tsx";
import { useUser } from "#/entities/session/user.ts";
import { PageHero } from "#/features/landing/page-hero.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { Questions } from "#/features/landing/questions.tsx";
import { createSponsorshipLetter } from "#/features/landing/sponsorship-letter.ts";
import type { Sponsorship } from "#/features/landing/sponsorship-schema.ts";
import { useContact } from "#/lib/site-config.ts";
import styles from "./sponsorship.module.css";

const createMailtoUrl = (email: string, letter: string): string =>
  `mailto:${email}?subject=${encodeURIComponent("Sponsorship")}&body=${encodeURIComponent(letter)}`;

const GRANT = `feather api POST /admin/users/usr_…/credits \\
  -d '{"amount_nano_usd": "50000000000", "reason": "Sponsorship of …"}'`;

const loadSchema = async () => (await import("#/features/landing/sponsorship-schema.ts")).sponsorshipSchema;

/** Landing page for sponsorships; writes the letter to the operator. */
export default function SponsorshipPage() {
  const { user } = useUser();
  const { email } = useContact();
  const [letter, setLetter] = useState<string | null>(null);
  return (
    <>
      <PageHero
        kicker={t`Sponsorship`}
        title={t`Models for projects that give something away`}
        lede={t`An operator can give an open-source project credits, or a plan by a coupon. This page helps both: it writes the letter of those who ask, and shows those who give how.`}
      />
      <PageSection
        title={t`Ask for it`}
        intro={t`Say what the project is and what it needs models for. The form sends nothing: it writes a letter for you to send.`}
      >
        <div className={styles.letter}>
          <Form<Sponsorship>
            schema={loadSchema}
            initial={{ project: "", repository: "", license: "", purpose: "" }}
            fields={[
              { name: "project", label: t`Project` },
              { name: "repository", label: t`Repository`, type: "url", inputMode: "url" },
              { name: "license", label: t`Licence`, hint: t`Such as MIT or Apache-2.0` },
              {
                name: "purpose",
                label: t`What for`,
                hint: t`What the project would call, how often, and who gains by it`,
              },
            ]}
            submitLabel={t`Write the letter`}
            submit={async (values) => setLetter(createSponsorshipLetter(values, user?.email ?? null))}
          />
          <div aria-live="polite">
            {letter ? (
              <>
                <h3 className="h4">{t`Your letter`}</h3>
                <CopyBlock text={letter} />
                {email ? (
                  <a className="btn primary mt-4" href={createMailtoUrl(email, letter)}>
                    {t`Send it to ${email}`}
                  </a>
                ) : (
                  <p className="muted mt-3">{t`This server has no contact address. Send it the way you reach its operator.`}</p>
                )}
              </>
            ) : (
              <p className="muted">{t`The letter appears here.`}</p>
            )}
          </div>
        </div>
      </PageSection>
      <PageSection
        title={t`Give it`}
        intro={t`For admins. Credits are for metered plans; a coupon of 100 percent makes a plan free for as many months as you say. Both are in the log, with your reason.`}
      >
        <CodeBlock
          samples={[
            { name: t`Credits`, lang: "bash", code: GRANT },
            { name: t`A coupon`, lang: "bash", code: COUPON },
          ]}
        />
      </PageSection>
      <PageSection title={t`Support Feather itself`}>
        <Questions
          items={[
            {
              question: t`The software is free`,
              answer: t`It is under the Apache License 2.0, and there is no paid edition. Nobody collects money for it through this page.`,
            },
            {
              question: t`What helps`,
              answer: (
                <>
                  <Trans>
                    A report that can be followed, a correction of the{" "}
                    <Link className="link" to="/docs/quickstart">
                      docs
                    </Link>
                    , a backend that we have not tried. The repository says how to contribute.
                  </Trans>
                </>
              ),
            },
          ]}
        />
      </PageSection>
    </>
  );
}

const COUPON = `feather api POST /admin/coupons \\
  -d '{"code": "OPENSOURCE", "percent_off": 100, "duration": "repeating", "months": 12}'`;
