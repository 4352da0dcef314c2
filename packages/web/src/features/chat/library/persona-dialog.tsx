import type { Prompt } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type FormEvent, useId, useState } from "react";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { LazyModelPicker } from "../composer/lazy-model-picker.tsx";
import { ToolChip } from "../composer/tool-chip.tsx";
import { chosenTools, withChosenTools } from "../conversation/chosen-tools.ts";
import { type ChatSettings, validateSettings } from "../conversation/settings.ts";
import { SettingsForm } from "../settings/settings-form.tsx";
import { toChatSettings, toPersonaSettings } from "./personas.ts";
import type { PromptOwner } from "./queries.ts";
import { useSavePrompt } from "./use-save-prompt.ts";

const NEW = { name: "", text: "", settings: {} };
const MAX_NAME_LENGTH = 60;
const MAX_TEXT_LENGTH = 20_000;

type Props = {
  owner: PromptOwner;
  /** The persona that is changed; null for a new one. */
  persona: Prompt | null;
  close(): void;
};

/** Writes a persona, or changes one: its name, its model, its tools, and the settings that a chat has. */
export function PersonaDialog({ owner, persona, close }: Props) {
  const id = useId();
  const [name, setName] = useState(persona?.name ?? "");
  const [model, setModel] = useState(persona?.model ?? null);
  const [settings, setSettings] = useState(() => toChatSettings(persona ?? NEW));
  const [isRefused, setRefused] = useState(false);
  const save = useSavePrompt(owner, persona, close);
  const problems = listProblems(name, settings);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setRefused(problems.length > 0);
    if (problems.length > 0) return;
    const fields = { name: name.trim(), text: settings.system, model, settings: toPersonaSettings(settings) };
    // The error is shown below.
    await save.submit({ kind: "persona", ...fields }).catch(() => undefined);
  }
  return (
    <Dialog open onClose={close} title={persona ? t`Change ${persona.name}` : t`New persona`}>
      <form className="mt-4" onSubmit={(event) => void submit(event)} noValidate>
        <div className="field">
          <label htmlFor={`${id}-name`}>{t`Name`}</label>
          <input
            id={`${id}-name`}
            className="input"
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <div className="row wrapping mt-4 mb-4">
          <ModelChoice model={model} setModel={setModel} />
          <ToolChip
            chosen={chosenTools(settings)}
            isComparing={false}
            setChosen={(names) => setSettings(withChosenTools(settings, names))}
          />
        </div>
        <SettingsForm settings={settings} onChange={setSettings} />
        {isRefused && problems.length > 0 ? (
          <p className="error-text mt-4" role="alert">
            {problems.join(" ")}
          </p>
        ) : null}
        <ErrorNotice error={save.error} />
        <div className="actions">
          <button type="button" className="btn" onClick={close}>
            {t`Cancel`}
          </button>
          <button type="submit" className="btn primary" disabled={save.busy} aria-busy={save.busy}>
            {t`Save`}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type ModelChoiceProps = { model: string | null; setModel(model: string | null): void };

function ModelChoice({ model, setModel }: ModelChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {model === null ? t`Any model` : t`Model: ${model}`}
      </button>
      {model === null ? null : (
        <button type="button" className="chip" onClick={() => setModel(null)}>
          {t`Without a model`}
        </button>
      )}
      <LazyModelPicker
        open={isOpen}
        title={t`Choose a model`}
        chosenModels={model === null ? [] : [model]}
        onClose={() => setOpen(false)}
        onChoose={(chosen) => {
          setModel(chosen);
          setOpen(false);
        }}
      />
    </>
  );
}

/** Returns what prevents saving. */
function listProblems(name: string, settings: ChatSettings): string[] {
  return [
    ...(name.trim() === "" ? [t`Name is missing.`] : []),
    ...(name.trim().length > MAX_NAME_LENGTH ? [t`Name may have at most 60 characters.`] : []),
    ...(settings.system.trim() === "" ? [t`System prompt is missing.`] : []),
    ...(settings.system.length > MAX_TEXT_LENGTH ? [t`System prompt may have at most 20,000 characters.`] : []),
    ...Object.values(validateSettings(settings)),
  ];
}
