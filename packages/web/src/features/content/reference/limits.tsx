import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import styles from "./limits.module.css";
import { describeLimits } from "./resolve.ts";
import type { Schema } from "./types.ts";

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
