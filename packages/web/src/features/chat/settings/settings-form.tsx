import { t } from "@lingui/core/macro";
import { useId, useState } from "react";
import { Select } from "#/components/ui/controls/select.tsx";
import { Slider } from "#/components/ui/controls/slider.tsx";
import { formatCount } from "#/lib/format.ts";
import {
  type ChatSettings,
  SAMPLERS,
  type SamplerName,
  TEXT_SETTINGS,
  validateSettings,
} from "../conversation/settings.ts";
import styles from "./settings-form.module.css";

type Props = { settings: ChatSettings; onChange(next: ChatSettings): void };

/** System prompt, samplers, and rarely used settings in a collapsed section. */
export function SettingsForm({ settings, onChange }: Props) {
  const id = useId();
  return (
    <>
      <div className={styles.setting}>
        <label className="label" htmlFor={`${id}-system`}>
          {t`System prompt`}
        </label>
        <textarea
          id={`${id}-system`}
          className="input mt-2"
          rows={3}
          value={settings.system}
          onChange={(event) => onChange({ ...settings, system: event.target.value })}
          placeholder={t`How the model should answer`}
        />
      </div>
      <Samplers isPrimary settings={settings} onChange={onChange} />
      <details className={styles.moreSettings}>
        <summary>{t`More`}</summary>
        <Samplers isPrimary={false} settings={settings} onChange={onChange} />
        <SelectSettings settings={settings} onChange={onChange} />
        <TextSettings settings={settings} onChange={onChange} />
      </details>
    </>
  );
}

function Samplers({ isPrimary, settings, onChange }: Props & { isPrimary: boolean }) {
  return SAMPLERS.filter((one) => one.isPrimary === isPrimary).map((sampler) => (
    <Sampler
      key={sampler.name}
      {...sampler}
      value={settings[sampler.name]}
      onSet={(value) => onChange({ ...settings, [sampler.name]: value })}
    />
  ));
}

type SamplerProps = Omit<(typeof SAMPLERS)[number], "name"> & {
  name: SamplerName;
  value: number;
  onSet(value: number): void;
};

/** A slider with a number field, which accepts values outside the slider's range. */
function Sampler({ label, minInput, min, max, maxInput, step, value, onSet }: SamplerProps) {
  const id = useId();
  const [isRejected, setRejected] = useState(false);
  const sliderValue = Math.min(Math.max(value, min), max);
  function commit(field: HTMLInputElement): void {
    const number = Number(field.value);
    const valid = field.value.trim() !== "" && number >= minInput && number <= maxInput;
    setRejected(!valid);
    if (valid && number !== value) onSet(number);
    if (!valid) field.value = String(value);
  }
  return (
    <div className={styles.setting}>
      <div className="row between">
        <span className="muted" id={id}>
          {label}
        </span>
        <input
          type="number"
          className={`num ${styles.value}`}
          aria-label={t`${label}, as a number`}
          aria-describedby={isRejected ? `${id}-refused` : undefined}
          min={minInput}
          max={maxInput}
          step="any"
          key={value}
          defaultValue={value}
          onBlur={(event) => commit(event.currentTarget)}
          onKeyDown={(event) => event.key === "Enter" && commit(event.currentTarget)}
        />
      </div>
      {isRejected ? (
        <p id={`${id}-refused`} className="small error-text" role="alert">
          {t`From ${formatCount(minInput)} to ${formatCount(maxInput)}.`}
        </p>
      ) : null}
      <Slider
        aria-labelledby={id}
        min={min}
        max={max}
        step={step}
        value={sliderValue}
        onChange={(next) => {
          setRejected(false);
          onSet(next);
        }}
      />
    </div>
  );
}

function SelectSettings({ settings, onChange }: Props) {
  const id = useId();
  const renderSelect = <N extends "thinking" | "reasoning_effort" | "tool_choice" | "format">(
    name: N,
    label: string,
    options: readonly (readonly [ChatSettings[N], string])[],
  ) => (
    <div className={`${styles.setting} row between`}>
      <label className="muted" htmlFor={`${id}-${name}`}>
        {label}
      </label>
      <Select
        id={`${id}-${name}`}
        look="chip"
        value={settings[name]}
        options={options.map(([value, optionLabel]) => ({ value, label: optionLabel }))}
        onChange={(value) => onChange({ ...settings, [name]: value })}
      />
    </div>
  );
  return (
    <>
      {renderSelect("thinking", t`Thinking`, [
        ["", t`as the model does`],
        ["on", t`on`],
        ["off", t`off`],
      ])}
      {renderSelect("reasoning_effort", t`Reasoning effort`, [
        ["", t`as the model does`],
        ["low", t`low`],
        ["medium", t`medium`],
        ["high", t`high`],
      ])}
      {renderSelect("format", t`Answer as`, [
        ["text", t`text`],
        ["json_object", "JSON"],
        ["json_schema", t`JSON of a schema`],
      ])}
      {renderSelect("tool_choice", t`Call tools`, [
        ["", t`as the model decides`],
        ["required", t`always`],
        ["none", t`never`],
      ])}
    </>
  );
}

function TextSettings({ settings, onChange }: Props) {
  const id = useId();
  const [typedField, setTypedField] = useState<string | null>(null);
  const errors = validateSettings(settings);
  return (
    <>
      {TEXT_SETTINGS.map(({ name, label, hint, rows }) => {
        const fieldId = `${id}-${name}`;
        const error = typedField === name ? undefined : errors[name]; // shown after leaving the field
        const props = {
          id: fieldId,
          className: "input",
          value: settings[name],
          spellCheck: false,
          "aria-invalid": error !== undefined,
          "aria-describedby": `${fieldId}-hint`,
          onChange: (event: { target: { value: string } }) => {
            setTypedField(name);
            onChange({ ...settings, [name]: event.target.value });
          },
          onBlur: () => setTypedField(null),
        };
        return (
          <div key={name} className={`${styles.setting} field`}>
            <label htmlFor={fieldId}>{label}</label>
            {rows === 1 ? <input {...props} /> : <textarea rows={rows} {...props} />}
            <p id={`${fieldId}-hint`} className={error ? "error-text" : "hint"}>
              {error ? `${error} ` : ""}
              {hint}
            </p>
          </div>
        );
      })}
      <label className={`check ${styles.setting}`}>
        <input
          type="checkbox"
          checked={settings.include_stop_str_in_output}
          onChange={(event) => onChange({ ...settings, include_stop_str_in_output: event.target.checked })}
        />
        {t`Keep the stop text in the answer`}
      </label>
    </>
  );
}
