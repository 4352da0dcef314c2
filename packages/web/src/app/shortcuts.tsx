import { Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "#/config/paths.ts";
import { useLogOut } from "#/entities/session/use-log-out.ts";
import { useModifierKey } from "#/lib/browser/modifier-key.ts";
import { storage } from "#/lib/browser/storage.ts";
import { takesKeys } from "#/lib/browser/typing.ts";
import { OPEN_PALETTE_EVENT } from "#/lib/events/palette-event.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { applyTheme } from "#/lib/preferences/theme.ts";
import type { CommandAction } from "./palette/commands.ts";
import { createShortcutReader } from "./palette/shortcut-keys.ts";

const CommandPalette = lazyComponent(async () => (await import("./palette/command-palette.tsx")).CommandPalette);
const ShortcutHelp = lazyComponent(async () => (await import("./palette/shortcut-help.tsx")).ShortcutHelp);

const SINGLE_KEYS_STORAGE_KEY = "single-key-shortcuts";

type OpenDialog = "palette" | "help" | null;

/** Global keyboard shortcuts, with the command palette and the shortcut help. */
export function Shortcuts() {
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const [singleKeys, setSingleKeys] = useState(() => storage.get(SINGLE_KEYS_STORAGE_KEY) !== "off");
  const modifier = useModifierKey();
  const navigate = useNavigate();
  const logOut = useLogOut(() => navigate(paths.home));
  const close = () => setOpenDialog(null);
  const isOpening = useRef(false);
  isOpening.current = openDialog !== null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: an older navigate works too, as all paths are absolute
  useEffect(() => {
    const readShortcut = createShortcutReader();
    function onKey(event: KeyboardEvent): void {
      const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
      if (defaultPrevented || event.isComposing) return;
      // While the code of a dialog is loading, letters are meant for the dialog already.
      const typing = isOpening.current || takesKeys(target);
      const shortcut = readShortcut({ key, ctrlKey, metaKey, altKey, typing, at: event.timeStamp }, singleKeys);
      if (shortcut === null) return;
      event.preventDefault();
      if (shortcut.type === "go") navigate(shortcut.to);
      else if (shortcut.type === "help") setOpenDialog("help");
      else if (shortcut.type !== "search" || !focusSearch()) setOpenDialog("palette");
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [singleKeys]);

  useEffect(() => {
    const open = () => setOpenDialog("palette");
    window.addEventListener(OPEN_PALETTE_EVENT, open);
    return () => window.removeEventListener(OPEN_PALETTE_EVENT, open);
  }, []);

  function run(action: CommandAction): void {
    setOpenDialog(action.type === "help" ? "help" : null);
    if (action.type === "go") navigate(action.to);
    if (action.type === "theme") applyTheme(action.theme);
    if (action.type === "log out") void logOut();
  }

  function switchSingleKeys(on: boolean): void {
    setSingleKeys(on);
    storage.set(SINGLE_KEYS_STORAGE_KEY, on ? "on" : "off");
  }

  return (
    <Suspense fallback={null}>
      {openDialog === "palette" ? <CommandPalette open close={close} run={run} /> : null}
      {openDialog === "help" ? (
        <ShortcutHelp open close={close} modifier={modifier} singleKeys={singleKeys} setSingleKeys={switchSingleKeys} />
      ) : null}
    </Suspense>
  );
}

/** Selectors of search fields: the page's own field is preferred to the one in the top bar. */
const SEARCH_FIELDS = ['main input[type="search"]', 'header input[type="search"]'];

/** Focuses the first visible search field. Returns false if there is none. */
function focusSearch(): boolean {
  const fields = SEARCH_FIELDS.flatMap((selector) => [...document.querySelectorAll<HTMLInputElement>(selector)]);
  const field = fields.find(({ offsetParent }) => offsetParent !== null);
  field?.focus();
  field?.select();
  return field !== undefined;
}
