import { t } from "@lingui/core/macro";
import { AssistantSetup, CODING_FILTERS } from "./assistant-setup.tsx";
import { ModelsSection } from "./models-section.tsx";
import { NextLinks } from "./next-links.tsx";
import { PageHero } from "./page-hero.tsx";
import { PageSection } from "./page-section.tsx";
import { PlanCosts } from "./plan-costs.tsx";
import { type Question, Questions } from "./questions.tsx";
import { type Step, Steps } from "./steps.tsx";

type Props = { name: string; lede: string; steps: readonly Step[]; questions: readonly Question[] };

/** A landing page about a coding assistant. */
export function AssistantPage({ name, lede, steps, questions }: Props) {
  return (
    <>
      <PageHero
        kicker={t`Coding assistants`}
        title={t`${name} with open models`}
        lede={lede}
        aside={<AssistantSetup assistant={name} />}
      />
      <PageSection title={t`Set it up`}>
        <Steps steps={steps} />
      </PageSection>
      <ModelsSection
        title={t`Models that write code`}
        intro={t`They take tools, which an assistant needs to read and change files. Long context helps more than size: an assistant sends whole files.`}
        filters={{ ...CODING_FILTERS, perPage: 8 }}
        all="/models?tags=code%2Ctool-use"
        empty={t`The catalogue of this server holds no model that writes code and takes tools.`}
      />
      <PlanCosts
        intro={t`An assistant sends one request after the other, so one request at once is enough for one person. Tokens are not counted on flat plans, however many files it reads.`}
      />
      <PageSection title={t`Questions`}>
        <Questions items={questions} />
      </PageSection>
      <PageSection title={t`Go on`}>
        <NextLinks
          links={[
            {
              to: "/docs/limits",
              label: t`Units and limits`,
              text: t`How many requests may run at once, and how to wait for a turn.`,
            },
            { to: "/docs/errors", label: t`Errors`, text: t`What a code means and what to do about it.` },
            {
              to: "/docs/api-keys",
              label: t`API keys`,
              text: t`Limit a key to some models, to a share of your units, or in time.`,
            },
          ]}
        />
      </PageSection>
    </>
  );
}
