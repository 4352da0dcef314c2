import { Link } from "react-router-dom";
import { CodeBlock } from "#/features/content/code-block.tsx";
import { ModelsSection } from "#/features/landing/models-section.tsx";
import { PageHero, PageSection, Questions } from "#/features/landing/parts.tsx";
import { openaiSamples } from "#/features/landing/samples.ts";
import { useSampleModel } from "#/features/landing/use-sample-model.ts";

const CALLS = [
  ["POST /v1/chat/completions", "Conversations, streams, tools, schemas, pictures", "/docs/chat-completions"],
  ["POST /v1/completions", "Text without a conversation", "/docs/chat-completions#text-without-a-conversation"],
  ["POST /v1/embeddings", "Vectors, as numbers or base64", "/docs/embeddings"],
  ["POST /v1/responses", "The newer format, stateless", "/docs/responses"],
  ["GET /v1/models", "The catalogue in OpenAI’s form", "/docs/models#list-them"],
  ["POST /v1/messages", "Anthropic’s format, for programs that speak that", "/docs/messages"],
] as const;

export default function OpenaiPage() {
  const model = useSampleModel();
  return (
    <>
      <PageHero
        kicker="OpenAI compatible"
        title="Keep your program. Change one line."
        lede="The address below /v1 speaks OpenAI’s protocol, down to its errors and the end of its streams. The official packages work unchanged, and are part of the server’s tests."
        aside={<CodeBlock samples={openaiSamples(model, location.origin)} />}
      >
        <Link className="btn primary big" to="/account/api-keys">
          Make a key
        </Link>
        <Link className="btn big" to="/docs/quickstart">
          Getting started
        </Link>
      </PageHero>
      <PageSection title="What answers">
        <table>
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col" className="w">
                What for
              </th>
              <th scope="col">Docs</th>
            </tr>
          </thead>
          <tbody>
            {CALLS.map(([call, what, to]) => (
              <tr key={call}>
                <td className="mono">{call}</td>
                <td className="w mid">{what}</td>
                <td>
                  <Link className="link" to={to}>
                    Read<span className="visually-hidden"> about {call}</span>
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </PageSection>
      <PageSection title="What is different">
        <Questions
          items={[
            {
              question: "Model ids are owner/name",
              answer:
                "A name of OpenAI’s, such as gpt-4o, is no model here. Take one from the catalogue; a wrong id is answered with the closest ones.",
            },
            {
              question: "Limits count what runs, not tokens a minute",
              answer: (
                <>
                  A request holds one to four units while it runs. When all are busy the answer is 429, or with{" "}
                  <code className="mono">x-queue-timeout</code> a place in the queue.{" "}
                  <Link className="link" to="/docs/limits">
                    Units and limits
                  </Link>
                </>
              ),
            },
            {
              question: "A cold model answers 503 first",
              answer: "It is being loaded. OpenAI’s packages try again by themselves, as long as Retry-After says.",
            },
            {
              question: "Open models have more samplers",
              answer:
                "top_k, min_p, repetition_penalty and others may be sent. What a model does not know is left out and named in x-ignored-params.",
            },
          ]}
        />
      </PageSection>
      <ModelsSection
        title="Open weights by OpenAI"
        intro="OpenAI publishes models too. They run here like all others."
        filters={{ owner: "openai", perPage: 6 }}
        all="/models?search=openai"
        empty="The catalogue of this server holds no model that OpenAI published."
      />
    </>
  );
}
