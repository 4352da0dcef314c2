import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CodeBlock } from "#/features/content/code-block.tsx";
import { InlineText } from "./inline-text.tsx";
import { accessWords, answersOf, flat, parametersOf, typeWords } from "./resolve.ts";
import { samplesOf } from "./samples.ts";
import { FieldLine, Limits, SchemaFields } from "./schema-fields.tsx";
import type { Answer, Components, Operation, Parameter, PlacedOperation } from "./types.ts";

/** One operation: description, access, parameters, body, responses and code samples. */
export function OperationView({ placed, components }: { placed: PlacedOperation; components: Components }) {
  const { method, path, operation } = placed;
  const { origin } = globalThis.location;
  return (
    <section className="operation" aria-labelledby={operation.operationId}>
      <div className="operation-words">
        <h2 className="h3" id={operation.operationId}>
          {operation.summary}
          <a className="anchor" href={`#${operation.operationId}`} aria-label={t`Link to ${operation.summary}`}>
            #
          </a>
        </h2>
        <p className="operation-path mono">
          <span className={`method ${method.toLowerCase()}`}>{method}</span> {path}
        </p>
        {operation.description ? (
          <p className="mid">
            <InlineText text={operation.description} />
          </p>
        ) : null}
        <Access operation={operation} />
        <Parameters operation={operation} components={components} />
        <Body operation={operation} components={components} />
        <Answers operation={operation} components={components} />
      </div>
      <div className="operation-code">
        <CodeBlock samples={samplesOf(placed, components, origin)} />
        <ExampleAnswer operation={operation} components={components} />
      </div>
    </section>
  );
}

function Access({ operation }: { operation: Operation }) {
  const permission = operation["x-permission"];
  return (
    <p className="small mid">
      <strong>{t`Who may call.`}</strong> {accessWords(operation.security)}
      {permission ? (
        <>
          {" "}
          <Trans>
            Their role needs <code>{permission}</code>.
          </Trans>
        </>
      ) : null}
      {operation["x-impersonation"] === "forbidden" ? t` Not while an admin acts as somebody else.` : null}
    </p>
  );
}

type Part = { operation: Operation; components: Components };
const PLACES: readonly (readonly [Parameter["in"], string])[] = [
  ["path", t`In the path`],
  ["query", t`In the query`],
  ["header", t`Headers`],
];

function Parameters({ operation, components }: Part) {
  const parameters = parametersOf(operation, components);
  return PLACES.map(([place, title]) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return null;
    return (
      <div key={place}>
        <h3 className="h4">{title}</h3>
        <ul className="schema-fields">
          {own.map(({ name, schema = {}, required = false, description }) => {
            const words = description ?? flat(schema, components).description;
            return (
              <li key={name}>
                <FieldLine name={name} type={typeWords(schema, components)} required={required} />
                {words ? (
                  <p className="small mid">
                    <InlineText text={words} />
                  </p>
                ) : null}
                <Limits schema={flat(schema, components)} />
              </li>
            );
          })}
        </ul>
      </div>
    );
  });
}

function Body({ operation: { requestBody }, components }: Part) {
  if (!requestBody) return null;
  return Object.entries(requestBody.content).map(([type, { schema }]) => (
    <div key={type}>
      <h3 className="h4">
        {t`Body`} <span className="small dim">{type}</span>
      </h3>
      {schema ? <SchemaFields schema={schema} components={components} /> : null}
    </div>
  ));
}

function Answers({ operation, components }: Part) {
  return (
    <div>
      <h3 className="h4">{t`Answers`}</h3>
      <ul className="schema-fields">
        {answersOf(operation, components).map(({ status, answer }) => (
          <li key={status}>
            <p className="field-line">
              <code className="field-name">{status}</code>
              <span className="small mid">
                <InlineText text={answer.description} />
              </span>
            </p>
            <AnswerFields status={status} answer={answer} components={components} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function AnswerFields({ status, answer, components }: { status: string; answer: Answer; components: Components }) {
  if (!status.startsWith("2")) return null;
  return Object.entries(answer.content ?? {}).map(([type, { schema }]) =>
    schema ? (
      <details key={type}>
        <summary className="small">
          <Trans>Fields of the answer ({type})</Trans>
        </summary>
        <SchemaFields schema={schema} components={components} />
      </details>
    ) : null,
  );
}

/** Examples of the first success response, one tab for each media type. */
function ExampleAnswer({ operation, components }: Part) {
  const success = answersOf(operation, components).find(({ status }) => status.startsWith("2"));
  const samples = Object.entries(success?.answer.content ?? {}).flatMap(([type, { examples }]) => {
    const [example] = Object.values(examples ?? {});
    if (!example) return [];
    const stream = type === "text/event-stream";
    const status = success?.status ?? "";
    const text =
      typeof example.value === "string" ? example.value : JSON.stringify(example.value, null, stream ? 0 : 2);
    return [
      {
        name: stream ? t`${status} stream` : type === "text/csv" ? t`${status} as CSV` : t`${status} answer`,
        lang: type === "text/csv" ? "text" : "json",
        code: stream ? `data: ${text}` : text,
      },
    ];
  });
  return samples.length > 0 ? <CodeBlock samples={samples} /> : null;
}
