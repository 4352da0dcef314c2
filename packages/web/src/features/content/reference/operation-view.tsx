import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CodeBlock } from "#/components/ui/code/code-block.tsx";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import contentStyles from "../content.module.css";
import { FieldLine } from "./field-line.tsx";
import { InlineText } from "./inline-text.tsx";
import { Limits } from "./limits.tsx";
import styles from "./operation-view.module.css";
import { describeAccess, describeType, flattenSchema, listParameters, listResponses } from "./resolve.ts";
import { createSamples } from "./samples.ts";
import { SchemaFields } from "./schema-fields.tsx";
import type { Components, Operation, OperationWithPath, Parameter, ResponseObject } from "./types.ts";

/** One operation: description, access, parameters, body, responses and code samples. */
export function OperationView({ entry, components }: { entry: OperationWithPath; components: Components }) {
  const { method, path, operation } = entry;
  const origin = useOrigin();
  return (
    <section className={contentStyles.operation} aria-labelledby={operation.operationId}>
      <div className={styles.operationWords}>
        <h2 className="h3" id={operation.operationId}>
          {operation.summary}
          <a
            className={contentStyles.anchor}
            href={`#${operation.operationId}`}
            aria-label={t`Link to ${operation.summary}`}
          >
            #
          </a>
        </h2>
        <p className={`${styles.operationPath} mono`}>
          <span className={`${contentStyles.method} ${method.toLowerCase()}`}>{method}</span> {path}
        </p>
        {operation.description ? (
          <p className="muted">
            <InlineText text={operation.description} />
          </p>
        ) : null}
        <Access operation={operation} />
        <Parameters operation={operation} components={components} />
        <Body operation={operation} components={components} />
        <Responses operation={operation} components={components} />
      </div>
      <div className={styles.operationCode}>
        <CodeBlock samples={createSamples(entry, components, origin)} />
        <ExampleResponse operation={operation} components={components} />
      </div>
    </section>
  );
}

function Access({ operation }: { operation: Operation }) {
  const permission = operation["x-permission"];
  return (
    <p className="small muted">
      <strong>{t`Who may call.`}</strong> {describeAccess(operation.security)}
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

type SectionProps = { operation: Operation; components: Components };
const PARAMETER_LOCATIONS: readonly (readonly [Parameter["in"], string])[] = [
  ["path", t`In the path`],
  ["query", t`In the query`],
  ["header", t`Headers`],
];

function Parameters({ operation, components }: SectionProps) {
  const parameters = listParameters(operation, components);
  return PARAMETER_LOCATIONS.map(([location, title]) => {
    const located = parameters.filter((parameter) => parameter.in === location);
    if (located.length === 0) return null;
    return (
      <div key={location}>
        <h3 className="h4">{title}</h3>
        <ul className={contentStyles.schemaFields}>
          {located.map(({ name, schema = {}, required = false, description }) => {
            const text = description ?? flattenSchema(schema, components).description;
            return (
              <li key={name}>
                <FieldLine name={name} type={describeType(schema, components)} required={required} />
                {text ? (
                  <p className="small muted">
                    <InlineText text={text} />
                  </p>
                ) : null}
                <Limits schema={flattenSchema(schema, components)} />
              </li>
            );
          })}
        </ul>
      </div>
    );
  });
}

function Body({ operation: { requestBody }, components }: SectionProps) {
  if (!requestBody) return null;
  return Object.entries(requestBody.content).map(([type, { schema }]) => (
    <div key={type}>
      <h3 className="h4">
        {t`Body`} <span className="small faint">{type}</span>
      </h3>
      {schema ? <SchemaFields schema={schema} components={components} /> : null}
    </div>
  ));
}

function Responses({ operation, components }: SectionProps) {
  return (
    <div>
      <h3 className="h4">{t`Answers`}</h3>
      <ul className={contentStyles.schemaFields}>
        {listResponses(operation, components).map(({ status, resolved }) => (
          <li key={status}>
            <p className={contentStyles.fieldLine}>
              <code className={contentStyles.fieldName}>{status}</code>
              <span className="small muted">
                <InlineText text={resolved.description} />
              </span>
            </p>
            <ResponseFields status={status} response={resolved} components={components} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ResponseFields({
  status,
  response,
  components,
}: {
  status: string;
  response: ResponseObject;
  components: Components;
}) {
  if (!status.startsWith("2")) return null;
  return Object.entries(response.content ?? {}).flatMap(([mediaType, { schema }]) =>
    (schema?.oneOf ?? (schema ? [schema] : [])).map((shape) => {
      const type = schema?.oneOf ? `${mediaType}, ${describeType(shape, components)}` : mediaType;
      return (
        <details key={type}>
          <summary className="small">
            <Trans>Fields of the answer ({type})</Trans>
          </summary>
          <SchemaFields schema={shape} components={components} />
        </details>
      );
    }),
  );
}

/** Returns an example of a stream as it is sent: of one event, of the JSON in it, or of events as a text. */
function writeEvent(example: unknown): string {
  if (typeof example === "string") return example.trimEnd();
  const isEvent = typeof example === "object" && example !== null && "data" in example;
  return `data: ${isEvent ? String(example.data) : JSON.stringify(example)}`;
}

/** Examples of the first success response, one tab for each media type. */
function ExampleResponse({ operation, components }: SectionProps) {
  const success = listResponses(operation, components).find(({ status }) => status.startsWith("2"));
  const samples = Object.entries(success?.resolved.content ?? {}).flatMap(([type, { examples }]) => {
    const [example] = Object.values(examples ?? {});
    if (!example) return [];
    const stream = type === "text/event-stream";
    const status = success?.status ?? "";
    const text = typeof example.value === "string" ? example.value : JSON.stringify(example.value, null, 2);
    return [
      {
        name: stream ? t`${status} stream` : type === "text/csv" ? t`${status} as CSV` : t`${status} answer`,
        lang: type === "text/csv" ? "text" : "json",
        code: stream ? writeEvent(example.value) : text,
      },
    ];
  });
  return samples.length > 0 ? <CodeBlock samples={samples} /> : null;
}
