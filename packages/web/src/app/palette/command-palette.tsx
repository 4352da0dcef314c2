import { Dialog } from "@base-ui/react/dialog";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Command as CommandMenu } from "cmdk";
import { type RefObject, useDeferredValue, useRef, useState } from "react";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { ROUTES } from "#/config/routes.ts";
import { modelsQuery } from "#/entities/models/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { usersQuery } from "#/features/admin/users/queries.ts";
import { storage } from "#/lib/browser/storage.ts";
import { formatList } from "#/lib/format.ts";
import { readTheme } from "#/lib/preferences/theme.ts";
import styles from "./command-palette.module.css";
import {
  type Command,
  type CommandAction,
  GROUP_ORDER,
  type Group,
  listCommands,
  scoreCommand,
  suggestCommands,
  toModelCommand,
  toReceiptCommand,
  toUserCommand,
} from "./commands.ts";
import { listOfferedRoutes } from "./offered-routes.ts";
import { findOwnThings } from "./own-things.ts";
import { readRecentCommands, rememberCommand } from "./recent-commands.ts";
import { useOwnThings } from "./use-own-things.ts";

const OFFERED_ROUTES = listOfferedRoutes(ROUTES);
const MAX_MODELS = 6;
const MAX_USERS = 5;
/** Models and users were found by the server; they follow the commands that fit as well. */
const FOUND_SCORE = 0.5;

type Props = { open: boolean; close(): void; run(action: CommandAction): void };

/** The command palette: searches pages, models and actions, and runs the chosen one. */
export function CommandPalette({ open, close, run }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-back" />
        <Dialog.Popup className={styles.palette} initialFocus={input} aria-label={t`Commands`}>
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
  input: RefObject<HTMLInputElement | null>;
  run(action: CommandAction): void;
}) {
  const [query, setQuery] = useState("");
  const { commands, searching, unread } = useCommands(query);
  const byId = new Map(commands.map((command) => [command.id, command]));
  const score = (id: string, typed: string): number => {
    const command = byId.get(id);
    if (command?.group === "Models" || command?.group === "Users") return FOUND_SCORE;
    return command ? scoreCommand(command, typed) : 0;
  };
  function choose(command: Command): void {
    rememberCommand(storage, command);
    run(command.action);
  }
  return (
    // Ctrl-K closes the palette, so it does not also move the selection, as the Vim bindings would.
    <CommandMenu
      className={styles.search}
      label={t`Find a page, a model or an action`}
      filter={score}
      loop
      vimBindings={false}
    >
      <CommandMenu.Input
        ref={input}
        className={styles.field}
        placeholder={t`Find a page, a model or an action`}
        value={query}
        onValueChange={setQuery}
      />
      {/* The list of suggestions is a list of its own, because a search reorders the elements of the list. */}
      <CommandMenu.List key={query.trim() === "" ? "suggested" : "found"} className={styles.list} label={t`Commands`}>
        {GROUP_ORDER.map((group) => (
          <CommandGroup
            key={group}
            group={group}
            commands={commands.filter((command) => command.group === group)}
            choose={choose}
          />
        ))}
      </CommandMenu.List>
      <div className={`${styles.end} small faint`} role="status">
        {unread.length > 0 ? (
          <p className="mb-2">{t`Not searched, as they cannot be read just now: ${formatList(unread)}.`}</p>
        ) : null}
        <CommandMenu.Empty>{searching ? t`Searching …` : t`Nothing has that name.`}</CommandMenu.Empty>
        <KeyHints />
      </div>
    </CommandMenu>
  );
}

const GROUP_LABELS: Readonly<Record<Group, string>> = {
  Recent: t`Recent`,
  Do: t`Do`,
  "Go to": t`Go to`,
  Account: t`Account`,
  Yours: t`Yours`,
  Models: t`Models`,
  Users: t`Users`,
  Admin: t`Admin`,
};

type CommandGroupProps = { group: Group; commands: readonly Command[]; choose(command: Command): void };

function CommandGroup({ group, commands, choose }: CommandGroupProps) {
  if (commands.length === 0) return null;
  return (
    <CommandMenu.Group heading={<span className="label">{GROUP_LABELS[group]}</span>} value={group}>
      {commands.map((command) => (
        <CommandMenu.Item
          key={command.id}
          className={styles.option}
          value={command.id}
          onSelect={() => choose(command)}
        >
          {group === "Models" ? <ModelId id={command.label} /> : <bdi>{command.label}</bdi>}
          {command.hint ? <bdi className="faint small">{command.hint}</bdi> : null}
        </CommandMenu.Item>
      ))}
    </CommandMenu.Group>
  );
}

function KeyHints() {
  return (
    <span className={styles.keys} aria-hidden="true">
      <Trans>
        <kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to go, <kbd>Esc</kbd> to leave
      </Trans>
    </span>
  );
}

type Commands = {
  commands: readonly Command[];
  searching: boolean;
  /** The names of what could not be read. */
  unread: readonly string[];
};

/**
 * Returns the suggested commands; once something is typed, all commands, the things of the user that fit, and the models and
 * users that the server finds.
 */
function useCommands(query: string): Commands {
  const { user } = useUser();
  const typed = query.trim();
  const own = useOwnThings(user);
  const { found, isFetching, unread } = useFound(useDeferredValue(typed), user?.is_admin ?? false);
  const all = listCommands(OFFERED_ROUTES, user, readTheme());
  if (typed === "") {
    const known = [...all, ...own.things.flat()];
    return { commands: suggestCommands(all, readRecentCommands(storage, known)), searching: false, unread: own.unread };
  }
  const receipt = user && toReceiptCommand(typed);
  return {
    commands: [
      ...all,
      ...(receipt ? [receipt] : []),
      ...own.things.flatMap((things) => findOwnThings(things, typed)),
      ...found,
    ],
    searching: isFetching || own.isReading,
    unread: [...own.unread, ...unread],
  };
}

/** Returns what the server finds by at least two characters: models, and for admins users. */
function useFound(typed: string, isAdmin: boolean) {
  const isSearch = typed.length > 1;
  const models = useQuery({ ...modelsQuery({ search: typed, perPage: MAX_MODELS }), enabled: isSearch });
  const users = useQuery({ ...usersQuery({ search: typed, perPage: MAX_USERS }), enabled: isSearch && isAdmin });
  return {
    found: isSearch
      ? [
          ...(models.data?.items ?? []).map(({ id }) => toModelCommand(id)),
          ...(isAdmin ? (users.data?.items ?? []).map(toUserCommand) : []),
        ]
      : [],
    isFetching: models.isFetching || users.isFetching,
    unread: [
      ...(isSearch && models.isError ? [t`models`] : []),
      ...(isSearch && isAdmin && users.isError ? [t`users`] : []),
    ],
  };
}
