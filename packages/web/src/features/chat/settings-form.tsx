import { useId } from "react";
import { type ChatSettings, SAMPLERS, settingFaults, TYPED } from "./settings.ts";

type Props = { settings: ChatSettings; change(next: ChatSettings): void };

/** The system prompt, the samplers, and what is rarely needed folded below. */
export function SettingsForm({ settings, change }: Props) {
  const id = useId();
  return (
    <>
      <div className="setting">
        <label className="label" htmlFor={`${id}-system`}>
          System prompt
        </label>
        <textarea
          id={`${id}-system`}
          className="input mt-2"
          rows={3}
          value={settings.system}
          onChange={(event) => change({ ...settings, system: event.target.value })}
          placeholder="How the model should answer"
        />
      </div>
      <Samplers first settings={settings} change={change} />
      <details className="more-settings">
        <summary>More</summary>
        <Samplers first={false} settings={settings} change={change} />
        <Choices settings={settings} change={change} />
        <Typed settings={settings} change={change} />
      </details>
    </>
  );
}

function Samplers({ first, settings, change }: Props & { first: boolean }) {
  const id = useId();
  return SAMPLERS.filter((one) => one.first === first).map(({ name, label, min, max, most, step }) => {
    const set = (text: string) => {
      const value = Number(text);
      if (text !== "" && value >= min && value <= most) change({ ...settings, [name]: value });
    };
    return (
      <div key={name} className="setting">
        <div className="row between">
          <label className="mid" htmlFor={`${id}-${name}`}>
            {label}
          </label>
          <input
            type="number"
            className="num value"
            aria-label={`${label}, as a number`}
            min={min}
            max={most}
            step="any"
            key={settings[name]}
            defaultValue={settings[name]}
            onBlur={(event) => set(event.target.value)}
            onKeyDown={(event) => event.key === "Enter" && set(event.currentTarget.value)}
          />
        </div>
        <input
          id={`${id}-${name}`}
          type="range"
          min={min}
          max={max}
          step={step}
          value={Math.min(settings[name], max)}
          onChange={(event) => set(event.target.value)}
        />
      </div>
    );
  });
}

function Choices({ settings, change }: Props) {
  const id = useId();
  const choice = <N extends "thinking" | "reasoning_effort" | "format">(
    name: N,
    label: string,
    options: readonly (readonly [ChatSettings[N], string])[],
  ) => (
    <div className="setting row between">
      <label className="mid" htmlFor={`${id}-${name}`}>
        {label}
      </label>
      <select
        id={`${id}-${name}`}
        className="chip"
        value={settings[name]}
        onChange={(event) => change({ ...settings, [name]: event.target.value as ChatSettings[N] })}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <>
      {choice("thinking", "Thinking", [
        ["", "as the model does"],
        ["on", "on"],
        ["off", "off"],
      ])}
      {choice("reasoning_effort", "Reasoning effort", [
        ["", "as the model does"],
        ["low", "low"],
        ["medium", "medium"],
        ["high", "high"],
      ])}
      {choice("format", "Answer as", [
        ["text", "text"],
        ["json_object", "JSON"],
      ])}
    </>
  );
}

function Typed({ settings, change }: Props) {
  const id = useId();
  const faults = settingFaults(settings);
  return (
    <>
      {TYPED.map(({ name, label, hint, rows }) => {
        const at = `${id}-${name}`;
        const props = {
          id: at,
          className: "input",
          value: settings[name],
          spellCheck: false,
          "aria-invalid": faults[name] !== undefined,
          "aria-describedby": `${at}-hint`,
          onChange: (event: { target: { value: string } }) => change({ ...settings, [name]: event.target.value }),
        };
        return (
          <div key={name} className="setting field">
            <label htmlFor={at}>{label}</label>
            {rows === 1 ? <input {...props} /> : <textarea rows={rows} {...props} />}
            <p id={`${at}-hint`} className={faults[name] ? "err" : "hint"}>
              {faults[name] ? `${faults[name]} ` : ""}
              {hint}
            </p>
          </div>
        );
      })}
      <label className="check setting">
        <input
          type="checkbox"
          checked={settings.include_stop_str_in_output}
          onChange={(event) => change({ ...settings, include_stop_str_in_output: event.target.checked })}
        />
        Keep the stop text in the answer
      </label>
    </>
  );
}
