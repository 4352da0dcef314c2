import { Dialog } from "@base-ui/react/dialog";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { ModelId } from "#/components/ui/primitives.tsx";
import { ROUTES } from "#/config/routes.ts";
import { useUser } from "#/features/auth/user.ts";
import { modelsQuery } from "#/features/catalogue/queries.ts";
import { storage } from "#/lib/storage.ts";
import { readTheme } from "#/lib/theme.ts";
import {
  type Command,
  type CommandAction,
  findCommands,
  type Group,
  listCommands,
  sortByGroup,
  suggestCommands,
  toModelCommand,
} from "./commands.ts";
import { readRecentCommands, rememberCommand } from "./recent-commands.ts";

const MAX_MODELS = 6;
const MAX_COMMANDS = 100;

type Props = { open: boolean; close(): void; run(action: CommandAction): void };

/** The command palette: searches pages, models and actions, and runs the chosen one. */
export function CommandPalette({ open, close, run }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-back" />
        <Dialog.Popup className="palette" initialFocus={input} aria-label={t`Commands`}>
          <CommandSearch input={input} run={run} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function CommandSearch({
  input,
  run,
}: {
  input: React.RefObject<HTMLInputElement | null>;
  run(action: CommandAction): void;
}) {
  const id = useId();
  const [query, setQuery] = useState("");
  const [selectedIndex, setSelectedIndex] = useState(0);
  const { results, searching } = useCommandResults(query);
  const activeIndex = Math.min(selectedIndex, results.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  useEffect(() => {
    document.getElementById(`${id}-${activeIndex}`)?.scrollIntoView({ block: "nearest" });
  }, [id, activeIndex]);

  function choose(command: Command): void {
    rememberCommand(storage, command);
    run(command.action);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      setSelectedIndex((activeIndex + step + results.length) % results.length);
    }
    const chosen = results[activeIndex];
    if (event.key === "Enter" && chosen && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(chosen);
    }
  }

  return (
    <>
      <input
        ref={input}
        className="palette-field"
        type="text"
        role="combobox"
        aria-label={t`Find a page, a model or an action`}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={activeIndex >= 0 ? optionId(activeIndex) : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={t`Find a page, a model or an action`}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setSelectedIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-list" id={id} role="listbox" aria-label={t`Commands`}>
        {results.map((command, index) => (
          <Option
            key={command.id}
            id={optionId(index)}
            command={command}
            isFirst={results[index - 1]?.group !== command.group}
            isChosen={index === activeIndex}
            onPoint={() => setSelectedIndex(index)}
            choose={() => choose(command)}
          />
        ))}
      </div>
      <p className="palette-end small dim" role="status">
        {results.length === 0 ? searching ? t`Searching …` : t`Nothing has that name.` : <KeyHints />}
      </p>
    </>
  );
}

function KeyHints() {
  return (
    <span aria-hidden="true">
      <Trans>
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to go, <kbd>Esc</kbd> to leave
      </Trans>
    </span>
  );
}

const GROUP_LABELS: Readonly<Record<Group, string>> = {
  Recent: t`Recent`,
  Do: t`Do`,
  "Go to": t`Go to`,
  Account: t`Account`,
  Models: t`Models`,
  Admin: t`Admin`,
};

type OptionProps = {
  id: string;
  command: Command;
  isFirst: boolean;
  isChosen: boolean;
  onPoint(): void;
  choose(): void;
};

function Option({ id, command, isFirst, isChosen, onPoint, choose }: OptionProps) {
  const { group, label, hint } = command;
  return (
    <>
      {isFirst ? (
        <p className="label" role="presentation">
          {GROUP_LABELS[group]}
        </p>
      ) : null}
      {/* biome-ignore lint/a11y: the search field keeps the focus and handles the keys */}
      <div
        id={id}
        className="palette-option"
        role="option"
        aria-selected={isChosen}
        onPointerMove={onPoint}
        onPointerDown={(event) => event.preventDefault()}
        onClick={choose}
      >
        {command.id.startsWith("model ") ? <ModelId id={label} /> : label}
        {hint ? <span className="dim small">{hint}</span> : null}
      </div>
    </>
  );
}

/** Returns the commands that match the query, with models from the server; the group of the best match comes first. */
function useCommandResults(query: string): { results: Command[]; searching: boolean } {
  const { user } = useUser();
  const deferredQuery = useDeferredValue(query.trim());
  const { data, isFetching } = useQuery({
    ...modelsQuery({ search: deferredQuery, perPage: MAX_MODELS }),
    enabled: deferredQuery.length > 1,
  });
  const all = listCommands(ROUTES, user, readTheme());
  if (query.trim() === "") return { results: suggestCommands(all, readRecentCommands(storage, all)), searching: false };
  const models = deferredQuery.length > 1 ? (data?.items ?? []).map(({ id }) => toModelCommand(id)) : [];
  const commands = findCommands(all, query).slice(0, MAX_COMMANDS);
  const bestGroup = commands[0]?.group;
  const grouped = sortByGroup([...commands, ...models]);
  return {
    results: [
      ...grouped.filter(({ group }) => group === bestGroup),
      ...grouped.filter(({ group }) => group !== bestGroup),
    ],
    searching: isFetching,
  };
}
