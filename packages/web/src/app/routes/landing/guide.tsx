import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { createCallSamples } from "#/entities/models/call-samples.ts";
import { GUIDE_PATHS } from "#/features/landing/guide-paths.ts";
import { PageHero } from "#/features/landing/page-hero.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { useSampleModel } from "#/features/landing/use-sample-model.ts";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import styles from "./guide.module.css";

/** An overview of the docs by purpose. */
export default function GuidePage() {
  const origin = useOrigin();
  const model = useSampleModel();
  return (
    <>
      <PageHero
        kicker={t`Guide`}
        title={t`What have you come for?`}
        lede={t`Six ways through the docs. Each list is in the order in which you need it.`}
      />
      <div className="section">
        <div className={`page-width ${styles.guide}`}>
          {GUIDE_PATHS.map(({ title, text, links }) => (
            <section key={title}>
              <h2 className="h3">{title}</h2>
              <p className="muted mt-2">{text}</p>
              <ol className="mt-4">
                {links.map(([label, to]) => (
                  <li key={to}>
                    <Link className="link" to={to}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ol>
            </section>
          ))}
        </div>
      </div>
      <PageSection
        title={t`Or just try it`}
        intro={t`${model} answers now. Put your key into FEATHER_API_KEY, and send this.`}
      >
        <CodeTabs samples={createCallSamples(model, origin)} />
      </PageSection>
    </>
  );
}
