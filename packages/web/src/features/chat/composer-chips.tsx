import { t } from "@lingui/core/macro";
import type { RefObject } from "react";
import { chosenCollections, withChosenCollections } from "./collections/chosen-collections.ts";
import { CollectionChip } from "./collections/collection-chip.tsx";
import { ModelChips } from "./composer/model-chips.tsx";
import { ToolChip } from "./composer/tool-chip.tsx";
import { chosenTools, withChosenTools } from "./conversation/chosen-tools.ts";
import { PersonaChip } from "./library/persona-chip.tsx";
import type { Chat } from "./use-chat.ts";
import { DictationButton } from "./voice/dictation-button.tsx";

type Props = {
  chat: Chat;
  /** The field of the message. */
  field: RefObject<HTMLTextAreaElement | null>;
  openPrompts(): void;
};

/** What a message goes with: models, tools, collections, prompts, dictation, and in a new chat the persona. */
export function ComposerChips({ chat, field, openPrompts }: Props) {
  const { session, models, settings, draft, conversationState } = chat;
  function addSaid(said: string): void {
    // What is in the field now, since the user may have written meanwhile.
    const written = field.current?.value.trimEnd() ?? "";
    draft.setText(written === "" ? said : `${written} ${said}`);
  }
  return (
    <>
      <ModelChips models={models.ids} setModels={chat.setModels} />
      {session !== null && models.ids.length > 0 ? (
        <ToolChip
          chosen={chosenTools(settings)}
          isComparing={models.ids.length > 1}
          setChosen={(names) => chat.setSettings(withChosenTools(settings, names))}
        />
      ) : null}
      {session === null ? null : (
        <>
          <CollectionChip
            chosen={chosenCollections(settings)}
            setChosen={(ids) => chat.setSettings(withChosenCollections(settings, ids))}
          />
          <button type="button" className="chip" aria-haspopup="dialog" onClick={openPrompts}>
            {t`Prompts`}
          </button>
          <DictationButton addText={addSaid} />
        </>
      )}
      {session !== null && conversationState.state === "new" ? (
        <PersonaChip
          name={settings.persona}
          choose={(beginning) => {
            chat.setSettings(beginning.settings);
            if (beginning.model !== null) chat.setModels([beginning.model]);
          }}
        />
      ) : null}
    </>
  );
}
