import type { Prompt } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { type ChatSettings, DEFAULT_SETTINGS } from "../conversation/settings.ts";
import { LazyLibraryPicker } from "./lazy-library-picker.tsx";

type Props = {
  /** The name of the chosen persona; empty for none. */
  name: string;
  /** Receives what a new chat begins with. The model is null where the persona is for any. */
  choose(beginning: { settings: ChatSettings; model: string | null }): void;
};

/** Says which persona a new chat begins with, and opens the choice of one. */
export function PersonaChip({ name, choose }: Props) {
  const [isOpen, setOpen] = useState(false);
  async function begin(persona: Prompt): Promise<void> {
    // What checks stored settings is large, and loaded with the first persona.
    const { toChatSettings } = await import("./personas.ts");
    choose({ settings: toChatSettings(persona), model: persona.model });
    setOpen(false);
  }
  return (
    <>
      <button type="button" className="chip" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {name === "" ? t`Persona` : t`Persona: ${name}`}
      </button>
      {name === "" ? null : (
        <button
          type="button"
          className="chip"
          aria-label={t`Without the persona ${name}`}
          onClick={() => choose({ settings: DEFAULT_SETTINGS, model: null })}
        >
          ×
        </button>
      )}
      {isOpen ? (
        <LazyLibraryPicker kind="persona" choose={(persona) => void begin(persona)} close={() => setOpen(false)} />
      ) : null}
    </>
  );
}
