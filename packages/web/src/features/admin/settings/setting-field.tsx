import type { ServerSetting } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { CheckboxField } from "#/components/ui/forms/checkbox-field.tsx";
import { Field } from "#/components/ui/forms/field.tsx";
import { SelectField } from "#/components/ui/forms/select-field.tsx";
import { TextareaField } from "#/components/ui/forms/textarea-field.tsx";
import { labelOf } from "./groups.ts";
import { SettingHint } from "./setting-hint.tsx";

type Props = { setting: ServerSetting; value: string; change(value: string): void; reset: ReactNode };

/** The field of a setting that admins can save. Secrets are entered, and not shown. */
export function SettingField({ setting, value, change, reset }: Props) {
  const { name, input, is_secret, saved } = setting;
  const common = { label: labelOf(name), hint: <SettingHint setting={setting} />, end: reset, name };
  const onChange = (event: { target: { value: string } }) => change(event.target.value);
  if (input.kind === "switch")
    return (
      <CheckboxField
        {...common}
        checked={value === "on"}
        onChange={(event) => change(event.target.checked ? "on" : "off")}
      />
    );
  if (input.kind === "choice")
    return (
      <SelectField
        {...common}
        options={[
          ...(setting.default_value === null ? [{ value: "", label: t`not set` }] : []),
          ...input.options.map((option) => ({ value: option, label: option })),
        ]}
        value={value}
        onChange={change}
      />
    );
  const placeholder = is_secret ? (saved?.is_set ? t`set, not shown` : t`not set`) : undefined;
  if (input.kind === "json")
    return (
      <TextareaField
        {...common}
        className="input mono"
        rows={3}
        spellCheck={false}
        {...{ value, onChange, placeholder }}
      />
    );
  return (
    <Field
      {...common}
      {...{ value, onChange, placeholder }}
      type={is_secret ? "password" : "text"}
      inputMode={input.kind === "number" ? "decimal" : "text"}
      autoComplete={is_secret ? "new-password" : "off"}
      spellCheck={false}
    />
  );
}
