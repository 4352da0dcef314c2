import { t } from "@lingui/core/macro";
import contentStyles from "../content.module.css";

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
