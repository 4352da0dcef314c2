import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import contentStyles from "../content.module.css";
import { InlineText } from "./inline-text.tsx";
import { describeLimits, describeType, flattenSchema, listFields } from "./resolve.ts";
import styles from "./schema-fields.module.css";
import type { Components, Schema } from "./types.ts";

const MAX_DEPTH = 5;

type Props = { schema: Schema; components: Components; depth?: number };

/** The fields of a body or response. Nested fields can be expanded. */
export function SchemaFields({ schema, components, depth = 0 }: Props) {
  const fields = listFields(schema, components);
  if (fields.length === 0) return <p className="small muted">{describeType(schema, components)}</p>;
  return (
    <ul className={contentStyles.schemaFields}>
      {fields.map(({ name, schema: field, required }) => (
        <li key={name}>
          <Field name={name} schema={field} required={required} components={components} depth={depth} />
        </li>
      ))}
    </ul>
  );
}

type FieldProps = { name: string; schema: Schema; required: boolean; components: Components; depth: number };

function Field({ name, schema, required, components, depth }: FieldProps) {
  const own = flattenSchema(schema, components);
  const hasFields = depth < MAX_DEPTH && listFields(schema, components).length > 0;
  return (
    <>
      <FieldLine name={name} type={describeType(schema, components)} required={required} />
      {own.description ? (
        <p className="small muted">
          <InlineText text={own.description} />
        </p>
      ) : null}
      <Limits schema={own} />
      {hasFields ? (
        <details>
          <summary className="small">
            <Trans>Fields of {name}</Trans>
          </summary>
          <SchemaFields schema={schema} components={components} depth={depth + 1} />
        </details>
      ) : null}
    </>
  );
}

/** Name, type and "required" of a field. */
export function FieldLine({ name, type, required }: { name: string; type: string; required: boolean }) {
  return (
    <p className={contentStyles.fieldLine}>
      <code className={contentStyles.fieldName}>{name}</code>
      <span className="small faint">{type}</span>
      {required ? <span className={`tiny ${contentStyles.required}`}>{t`required`}</span> : null}
    </p>
  );
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Allowed values, limits and default of a field. */
export function Limits({ schema }: { schema: Schema }) {
  const limits = describeLimits(schema);
  const values = (schema.enum ?? schema["x-values"])?.map(String) ?? [];
  const defaultValue = schema.default;
  if (limits.length === 0 && values.length === 0 && defaultValue === undefined) return null;
  return (
    <p className={`tiny faint ${styles.limits}`}>
      {values.length > 0 ? (
        <>
          {t`One of`}{" "}
          {values.map((value, index) => (
            <span key={value}>
              {index > 0 ? ", " : ""}
              <code>{value}</code>
            </span>
          ))}
          .{" "}
        </>
      ) : null}
      {limits.length > 0 ? `${toSentence(limits.join("; "))} ` : ""}
      {defaultValue === undefined ? null : (
        <Trans>
          Default <code>{JSON.stringify(defaultValue)}</code>.
        </Trans>
      )}
    </p>
  );
}
