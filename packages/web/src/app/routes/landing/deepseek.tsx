import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { modelsQuery } from "#/entities/models/queries.ts";
import { FamilyGenerations } from "#/features/families/family-generations.tsx";
import { ModelsSection } from "#/features/landing/models-section.tsx";
import { PageHero } from "#/features/landing/page-hero.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { PlanCosts } from "#/features/landing/plan-costs.tsx";
import { Questions } from "#/features/landing/questions.tsx";
import { createOpenAiSamples } from "#/features/landing/samples.ts";
import { useOrigin } from "#/lib/browser/use-origin.ts";

const NEWEST = { family: "deepseek", sort: "-released_date", perPage: 8 } as const;

/** Landing page for the DeepSeek models. */
export default function DeepseekPage() {
  const origin = useOrigin();
  const { data } = useQuery(modelsQuery(NEWEST));
  const model = data?.items[0]?.id ?? "deepseek-ai/DeepSeek-V3.1";
  return (
    <>
      <PageHero
        kicker={t`Model family`}
        title={t`DeepSeek, from the small to the whole`}
        lede={t`DeepSeek’s models reason and write code. The distilled ones fit one unit; the full ones are among the largest open models there are.`}
        aside={<CodeBlock samples={createOpenAiSamples(model, origin)} />}
      >
        <Link className="btn primary large" to="/models?family=deepseek">
          {t`See all of them`}
        </Link>
        <Link className="btn large" to="/deepseek-premium">
          {t`Plans for the largest`}
        </Link>
      </PageHero>
      <PageSection title={t`Generations`}>
        <FamilyGenerations family="deepseek" />
      </PageSection>
      <ModelsSection
        title={t`The newest`}
        filters={NEWEST}
        all="/models?family=deepseek&sort=-released_date"
        empty={t`The catalogue of this server holds no DeepSeek model.`}
      />
      <PlanCosts
        intro={t`The distilled models hold one or two units, the full ones four. On flat plans their tokens are not counted, long thoughts included.`}
      />
      <PageSection title={t`Questions`}>
        <Questions
          items={[
            {
              question: t`Which one should I take?`,
              answer: t`For a chat or a small task, a distilled model of 7B to 14B: one unit, quick answers. For code across many files or long thought, a full one: four units.`,
            },
            {
              question: t`Where do the thoughts go?`,
              answer: (
                <>
                  <Trans>
                    They come as <code className="mono">reasoning_content</code>, beside the answer.{" "}
                    <Link className="link" to="/docs/chat-completions#thinking">
                      Thinking
                    </Link>
                  </Trans>
                </>
              ),
            },
            {
              question: t`Is one warm at this moment?`,
              answer: t`The state in the table says so. Warm ones answer at once; offline ones need a backend that runs them.`,
            },
          ]}
        />
      </PageSection>
    </>
  );
}
