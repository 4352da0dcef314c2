import type { MailTemplateVariable } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useId } from "react";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { toPlaceholder } from "./placeholder.ts";
import styles from "./variable-list.module.css";

/** The tags of sections. Messages cannot hold braces themselves. */
const SECTION = { begin: "{{#name}}", opposite: "{{^name}}", end: "{{/name}}" };

type Props = { variables: readonly MailTemplateVariable[]; insert(variable: MailTemplateVariable): void };

/** The variables of a mail; a click puts one where the cursor was. */
export function VariableList({ variables, insert }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 className="h4" id={id}>{t`Variables`}</h2>
      <p className="small muted mt-2 measure">
        {t`Click one to put it where the cursor is. What stands between ${SECTION.begin} and ${SECTION.end} is left out when the variable has no value, and between ${SECTION.opposite} and ${SECTION.end} when it has one.`}
      </p>
      <ul className={styles.variables}>
        {variables.map((variable) => (
          <li key={variable.name}>
            <button
              type="button"
              className={`btn ${styles.placeholder}`}
              aria-label={t`Insert ${toPlaceholder(variable, "…")}`}
              onClick={() => insert(variable)}
            >
              {toPlaceholder(variable, "…")}
            </button>
            <span className="small muted">
              {variable.description} {variable.is_required ? <Tag>{t`required`}</Tag> : null}
              {variable.is_optional ? <Tag>{t`may be missing`}</Tag> : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
