import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { ModelsSection } from "#/features/landing/models-section.tsx";
import { PageHero } from "#/features/landing/page-hero.tsx";
import { PageSection } from "#/features/landing/page-section.tsx";
import { PlanCosts } from "#/features/landing/plan-costs.tsx";
import { Questions } from "#/features/landing/questions.tsx";
import { createOpenAiSamples } from "#/features/landing/samples.ts";
import { useSampleModel } from "#/features/landing/use-sample-model.ts";
import { useOrigin } from "#/lib/browser/use-origin.ts";

const CALLS = [
  ["POST /v1/chat/completions", t`Conversations, streams, tools, schemas, pictures`, "/docs/chat-completions"],
  ["POST /v1/completions", t`Text without a conversation`, "/docs/chat-completions#text-without-a-conversation"],
  ["POST /v1/embeddings", t`Vectors, as numbers or base64`, "/docs/embeddings"],
  ["POST /v1/responses", t`The newer format, stateless`, "/docs/responses"],
  ["GET /v1/models", t`The catalogue in OpenAI’s form`, "/docs/models#list-them"],
  ["POST /v1/messages", t`Anthropic’s format, for programs that speak that`, "/docs/messages"],
] as const;

/** Lists what is compatible with the OpenAI API, and the differences. */
export default function OpenaiPage() {
  const origin = useOrigin();
  const model = useSampleModel();
  return (
    <>
      <PageHero
        kicker={t`OpenAI compatible`}
        title={t`Keep your program. Change one line.`}
        lede={t`The address below /v1 speaks OpenAI’s protocol, down to its errors and the end of its streams. The official packages work unchanged, and are part of the server’s tests.`}
        aside={<CodeBlock samples={createOpenAiSamples(model, origin)} />}
      >
        <Link className="btn primary large" to="/account/api-keys">
          {t`Make a key`}
        </Link>
        <Link className="btn large" to="/docs/quickstart">
          {t`Getting started`}
        </Link>
      </PageHero>
      <PageSection title={t`What answers`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Call`}</th>
              <th scope="col" className="wide-only">
                {t`What for`}
              </th>
              <th scope="col">{t`Docs`}</th>
            </tr>
          </thead>
          <tbody>
            {CALLS.map(([call, what, to]) => (
              <tr key={call}>
                <td className="mono">{call}</td>
                <td className="wide-only muted">{what}</td>
                <td>
                  <Link className="link" to={to}>
                    {t`Read`}
                    <span className="visually-hidden">
                      {" "}
                      <Trans>about {call}</Trans>
                    </span>
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </PageSection>
      <PageSection title={t`What is different`}>
        <Questions
          items={[
            {
              question: t`Model ids are owner/name`,
              answer: t`A name of OpenAI’s, such as gpt-4o, is no model here. Take one from the catalogue; a wrong id is answered with the closest ones.`,
            },
            {
              question: t`Limits count what runs, not tokens a minute`,
              answer: (
                <>
                  <Trans>
                    A request holds one to four units while it runs. When all are busy the answer is 429, or with{" "}
                    <code className="mono">x-queue-timeout</code> a place in the queue.{" "}
                    <Link className="link" to="/docs/limits">
                      Units and limits
                    </Link>
                  </Trans>
                </>
              ),
            },
            {
              question: t`A cold model answers 503 first`,
              answer: t`It is being loaded. OpenAI’s packages try again by themselves, as long as Retry-After says.`,
            },
            {
              question: t`Open models have more samplers`,
              answer: t`top_k, min_p, repetition_penalty and others may be sent. What a model does not know is left out and named in x-ignored-params.`,
            },
          ]}
        />
      </PageSection>
      <ModelsSection
        title={t`Open weights by OpenAI`}
        intro={t`OpenAI publishes models too. They run here like all others.`}
        filters={{ owner: "openai", perPage: 6 }}
        all="/models?search=openai"
        empty={t`The catalogue of this server holds no model that OpenAI published.`}
      />
      <PlanCosts
        intro={t`A plan is a number of units; a request holds one to four of them while it runs, by the size of its model.`}
      />
    </>
  );
}
