import type { Prompt } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import styles from "#/components/ui/lists/card-list.module.css";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { useAction } from "#/lib/use-action.ts";
import { LibraryCard } from "./library-card.tsx";
import { PersonaDialog } from "./persona-dialog.tsx";
import { PromptDialog } from "./prompt-dialog.tsx";
import { type PromptKind, type PromptOwner, promptsQuery, writableBy } from "./queries.ts";
import { VARIABLE_EXAMPLE } from "./variable-example.ts";

type Props = {
  owner: PromptOwner;
  mayChange: boolean;
  /** Renders the header of the page, with buttons for those who may change something. */
  renderHeader(actions: ReactNode): ReactNode;
};

/** The open form: none, or that of a prompt; without one, of a new one. */
type OpenForm = null | { kind: PromptKind; prompt: Prompt | null };

/** The prompts and personas of an owner below the header of the page, which can be added, changed and deleted. */
export function Library({ owner, mayChange, renderHeader }: Props) {
  const list = useQuery(promptsQuery);
  const [form, setForm] = useState<OpenForm>(null);
  const remove = useRemoval(owner);
  const actions = { remove, change: (prompt: Prompt) => setForm({ kind: prompt.kind, prompt }) };
  const add = (kind: PromptKind) => setForm({ kind, prompt: null });
  return (
    <>
      {renderHeader(
        mayChange ? (
          <span className="row wrapping">
            <button type="button" className="btn primary" onClick={() => add("message")}>
              {t`New prompt`}
            </button>
            <button type="button" className="btn" onClick={() => add("persona")}>
              {t`New persona`}
            </button>
          </span>
        ) : undefined,
      )}
      <Loaded subject={t`the prompts`} query={list}>
        {({ items }) => {
          const owned = items.filter((prompt) => prompt.owner === owner);
          if (owned.length === 0)
            return (
              <EmptyState title={t`No prompts and personas yet`}>
                {t`A prompt is a text that you use often: type / in a chat to choose one. ${VARIABLE_EXAMPLE} in it is a variable. A persona is what a chat begins with: instructions, a model and settings.`}
              </EmptyState>
            );
          return (
            <ul className={styles.list}>
              {owned.map((prompt) => (
                <LibraryCard key={prompt.id} prompt={prompt} actions={mayChange ? actions : null} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      <TerminalCommand command={`feather prompts export${owner === "organization" ? " --organization" : ""}`} />
      {form?.kind === "message" ? (
        <PromptDialog owner={owner} prompt={form.prompt} close={() => setForm(null)} />
      ) : null}
      {form?.kind === "persona" ? (
        <PersonaDialog owner={owner} persona={form.prompt} close={() => setForm(null)} />
      ) : null}
    </>
  );
}

/** Returns what deletes a prompt after a question. */
function useRemoval(owner: PromptOwner): (prompt: Prompt) => void {
  const confirm = useConfirm();
  const removal = useAction(({ id }: Prompt) => writableBy(owner).delete(id), {
    success: (_, { name }) => t`${name} is deleted`,
    invalidates: [promptsQuery.queryKey],
  });
  return (prompt) =>
    confirm({
      title: t`Delete ${prompt.name}?`,
      description:
        owner === "organization"
          ? t`No member can use it any more. Chats that began with it stay as they are.`
          : t`Chats that began with it stay as they are.`,
      confirmButtonText: t`Delete`,
      destructive: true,
      action: async () => void (await removal.run(prompt)),
    });
}
