import { Trans } from "@lingui/react/macro";
import contentStyles from "../content.module.css";
import { FieldLine } from "./field-line.tsx";
import { InlineText } from "./inline-text.tsx";
import { Limits } from "./limits.tsx";
import { describeType, flattenSchema, listFields } from "./resolve.ts";
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
