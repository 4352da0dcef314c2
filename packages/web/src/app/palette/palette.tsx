import { Dialog } from "@base-ui/react/dialog";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import { ModelId } from "#/components/ui/bits.tsx";
import { ROUTES } from "#/config/routes.ts";
import { useUser } from "#/features/auth/user.ts";
import { modelsQuery } from "#/features/catalogue/queries.ts";
import { storage } from "#/lib/storage.ts";
import { readTheme } from "#/lib/theme.ts";
import {
  type Command,
  commandsOf,
  type Deed,
  findCommands,
  firstCommands,
  type Group,
  inGroups,
  toModelCommand,
} from "./commands.ts";
import { recentCommands, remember } from "./recents.ts";

const MOST_MODELS = 6;
const MOST_COMMANDS = 100;

type Props = { open: boolean; close(): void; run(deed: Deed): void };

/** The command palette: searches pages, models and actions, and runs the chosen one. */
export function Palette({ open, close, run }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-back" />
        <Dialog.Popup className="palette" initialFocus={input} aria-label={t`Commands`}>
          <Finder input={input} run={run} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ input, run }: { input: React.RefObject<HTMLInputElement | null>; run(deed: Deed): void }) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const [place, setPlace] = useState(0);
  const { found, searching } = useFound(typed);
  const at = Math.min(place, found.length - 1);
  const optionId = (index: number) => `${id}-${index}`;

  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);

  function choose(command: Command): void {
    remember(storage, command);
    run(command.deed);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setPlace((at + step + found.length) % found.length);
    }
    const chosen = found[at];
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
        aria-activedescendant={at >= 0 ? optionId(at) : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={t`Find a page, a model or an action`}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-list" id={id} role="listbox" aria-label={t`Commands`}>
        {found.map((command, index) => (
          <Option
            key={command.id}
            id={optionId(index)}
            command={command}
            isFirst={found[index - 1]?.group !== command.group}
            isChosen={index === at}
            point={() => setPlace(index)}
            choose={() => choose(command)}
          />
        ))}
      </div>
      <p className="palette-end small dim" role="status">
        {found.length === 0 ? searching ? t`Searching …` : t`Nothing has that name.` : <Keys />}
      </p>
    </>
  );
}

function Keys() {
  return (
    <span aria-hidden="true">
      <Trans>
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to go, <kbd>Esc</kbd> to leave
      </Trans>
    </span>
  );
}

const GROUPS: Readonly<Record<Group, string>> = {
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
  point(): void;
  choose(): void;
};

function Option({ id, command, isFirst, isChosen, point, choose }: OptionProps) {
  const { group, label, hint } = command;
  return (
    <>
      {isFirst ? (
        <p className="label" role="presentation">
          {GROUPS[group]}
        </p>
      ) : null}
      {/* biome-ignore lint/a11y: the search field keeps the focus and handles the keys */}
      <div
        id={id}
        className="palette-option"
        role="option"
        aria-selected={isChosen}
        onPointerMove={point}
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
function useFound(typed: string): { found: Command[]; searching: boolean } {
  const { user } = useUser();
  const wanted = useDeferredValue(typed.trim());
  const { data, isFetching } = useQuery({
    ...modelsQuery({ search: wanted, perPage: MOST_MODELS }),
    enabled: wanted.length > 1,
  });
  const all = commandsOf(ROUTES, user, readTheme());
  if (typed.trim() === "") return { found: firstCommands(all, recentCommands(storage, all)), searching: false };
  const models = wanted.length > 1 ? (data?.items ?? []).map(({ id }) => toModelCommand(id)) : [];
  const commands = findCommands(all, typed).slice(0, MOST_COMMANDS);
  const best = commands[0]?.group;
  const grouped = inGroups([...commands, ...models]);
  return {
    found: [...grouped.filter(({ group }) => group === best), ...grouped.filter(({ group }) => group !== best)],
    searching: isFetching,
  };
}
