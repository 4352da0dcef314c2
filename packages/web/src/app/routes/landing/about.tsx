import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { FigureBand } from "#/components/ui/figures/figure-band.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { statsQuery } from "#/entities/models/queries.ts";
import { NextLinks } from "#/features/landing/next-links.tsx";
import { PageHero } from "#/features/landing/page-hero.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { Questions } from "#/features/landing/questions.tsx";
import { getProductName } from "#/lib/product.ts";

/** What the platform is: figures, principles and further reading. */
export default function AboutPage() {
  const { data } = useQuery(statsQuery);
  const figures = [
    [data?.model_count, t`models in this catalogue`],
    [data?.family_count, t`families`],
    [data?.warm_count, t`warm at this moment`],
  ] as const;
  const name = getProductName();
  return (
    <>
      <PageHero
        kicker={t`About`}
        title={t`Open models are for everybody to run`}
        lede={t`${name} is a platform for browsing, hosting and calling open language models. It runs on one machine with nothing else installed, or in front of as many as you have.`}
      />
      <FigureBand figures={figures} />
      <PageSection title={t`What we hold to`}>
        <Questions
          items={[
            {
              question: t`One contract`,
              answer: t`One document describes every call. The server, the SDK, the terminal program, this site and its reference come from it, so they agree.`,
            },
            {
              question: t`Concurrency, not tokens`,
              answer: (
                <>
                  <Trans>
                    A plan is a number of units <Barbs active={4} total={4} label={t`four units`} />, and a request
                    holds some while it runs. You see them here as the barbs of a feather.
                  </Trans>
                </>
              ),
            },
            {
              question: t`Figures you can check`,
              answer: t`Every request has a receipt. Credits are kept in a ledger with double entries, and a command adds it all up again.`,
            },
            {
              question: t`Your prompts stay yours`,
              answer: t`Prompts and answers of calls pass through and are not stored. Conversations on the chat page rest in your own browser, or encrypted on this server where your organization decided so.`,
            },
            {
              question: t`Nothing invented`,
              answer: t`What is a test says that it is one. What is unknown is called unknown, and is not a zero.`,
            },
            {
              question: t`Free software`,
              answer: t`All of it is under the Apache License 2.0. There is no edition that has more.`,
            },
          ]}
        />
      </PageSection>
      <PageSection title={t`Read on`}>
        <NextLinks
          links={[
            {
              to: "/docs/why-units",
              label: t`Why concurrency units`,
              text: t`What is scarce, and what a plan should measure.`,
            },
            {
              to: "/docs/contract",
              label: t`One contract for everything`,
              text: t`What is made from it, and rules to rely on.`,
            },
            {
              to: "/docs/ledger",
              label: t`How credits never drift`,
              text: t`A ledger, reservations, and how to check them.`,
            },
          ]}
        />
        <p className="muted mt-6">
          <Trans>
            Run one yourself:{" "}
            <Link className="link" to="/docs/self-hosting">
              Self-hosting
            </Link>
            .
          </Trans>
        </p>
      </PageSection>
    </>
  );
}
