import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { BulkCalculator } from "#/features/landing/bulk-calculator.tsx";
import { PageHero } from "#/features/landing/page-hero.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { Questions } from "#/features/landing/questions.tsx";
import { createBulkSamples } from "#/features/landing/samples.ts";
import { Steps } from "#/features/landing/steps.tsx";
import { useSampleModel } from "#/features/landing/use-sample-model.ts";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import { useContact } from "#/lib/site-config.ts";

/** Landing page for bulk inference. */
export default function BulkPage() {
  const origin = useOrigin();
  const model = useSampleModel();
  const { email } = useContact();
  return (
    <>
      <PageHero
        kicker={t`Bulk inference`}
        title={t`A hundred thousand prompts, overnight`}
        lede={t`On a flat plan a batch costs what the plan costs. What limits it is how many requests run side by side, so the trick is to keep the units busy and let nothing fail for want of a turn.`}
      >
        <Link className="btn primary large" to="/account/api-keys">
          {t`Make a key for the job`}
        </Link>
        <Link className="btn large" to="/docs/limits">
          {t`How units work`}
        </Link>
      </PageHero>
      <PageSection
        title={t`How long will it take?`}
        intro={t`Try one request first and put its time in. Side by side is the plan’s units divided by those of the model.`}
      >
        <BulkCalculator />
      </PageSection>
      <PageSection
        title={t`A program that keeps them busy`}
        intro={t`It reads one task a line, runs as many side by side as fit, and writes each answer as it comes.`}
      >
        <CodeBlock samples={createBulkSamples(model, origin)} />
      </PageSection>
      <PageSection title={t`What makes it dependable`}>
        <Steps
          steps={[
            {
              title: t`Give it a key of its own`,
              text: t`With max_concurrency below the plan’s units, so that people still get an answer while it runs.`,
              more: (
                <Link className="link" to="/docs/api-keys#what-a-key-may-do">
                  {t`Limits of a key`}
                </Link>
              ),
            },
            {
              title: t`Wait for a turn`,
              text: t`x-queue-timeout holds a request for up to ten minutes until units are free, first come, first served.`,
              more: (
                <Link className="link" to="/docs/limits#when-all-units-are-busy">
                  {t`Waiting`}
                </Link>
              ),
            },
            {
              title: t`Stay with one model`,
              text: t`Changing models makes machines load and unload. Sort the tasks by model, and do one after the other.`,
            },
            {
              title: t`Write down what is done`,
              text: t`Append each answer as it comes, and skip its id when you start again. Then a break costs one request.`,
            },
          ]}
        />
      </PageSection>
      <PageSection title={t`Questions`}>
        <Questions
          items={[
            {
              question: t`Can I upload a file of requests?`,
              answer: t`No. There is no batch call: the program above does the same with ordinary requests, and you see each answer at once.`,
            },
            {
              question: t`Is it cheaper at night?`,
              answer: t`The price is the same at all times. At quiet times fewer others share the machines, so answers are faster.`,
            },
            {
              question: t`I need more than any plan has`,
              answer: (
                <>
                  <Trans>
                    Plans sold by the unit go up to fifty times eight. Beyond that,{" "}
                    <Link className="link" to="/docs/deployments">
                      deployments
                    </Link>{" "}
                    take no units at all: they run on machines of their own.
                  </Trans>
                  {email ? (
                    <>
                      {" "}
                      <a className="link" href={`mailto:${email}`}>
                        {t`Write to the operator`}
                      </a>
                    </>
                  ) : null}
                </>
              ),
            },
          ]}
        />
      </PageSection>
    </>
  );
}
