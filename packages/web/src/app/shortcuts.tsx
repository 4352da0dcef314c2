import { Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useSession } from "#/features/auth/user.ts";
import { lazyPart } from "#/lib/lazy-part.ts";
import { MODIFIER } from "#/lib/modifier.ts";
import { PALETTE_WANTED } from "#/lib/palette-event.ts";
import { storage } from "#/lib/storage.ts";
import { applyTheme } from "#/lib/theme.ts";
import type { Deed } from "./palette/commands.ts";
import { createKeyReader, isTyping } from "./palette/keys.ts";

const Palette = lazyPart(async () => (await import("./palette/palette.tsx")).Palette);
const HelpSheet = lazyPart(async () => (await import("./palette/help-sheet.tsx")).HelpSheet);

const SINGLE_KEYS = "single-key-shortcuts";

type Opened = "palette" | "help" | null;

/** Global keyboard shortcuts, with the command palette and the shortcut help. */
export function Shortcuts() {
  const [opened, setOpened] = useState<Opened>(null);
  const [singleKeys, setSingleKeys] = useState(() => storage.get(SINGLE_KEYS) !== "off");
  const navigate = useNavigate();
  const { logOut } = useSession();
  const close = () => setOpened(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an older navigate works too, as all paths are absolute
  useEffect(() => {
    const read = createKeyReader();
    function onKey(event: KeyboardEvent): void {
      const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
      if (defaultPrevented) return;
      const wish = read({ key, ctrlKey, metaKey, altKey, typing: isTyping(target), at: event.timeStamp }, singleKeys);
      if (wish === null) return;
      event.preventDefault();
      if (wish.wish === "go") navigate(wish.to);
      else if (wish.wish === "help") setOpened("help");
      else if (wish.wish !== "search" || !focusSearch()) setOpened("palette");
    }
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [singleKeys]);

  useEffect(() => {
    const open = () => setOpened("palette");
    window.addEventListener(PALETTE_WANTED, open);
    return () => window.removeEventListener(PALETTE_WANTED, open);
  }, []);

  async function run(deed: Deed): Promise<void> {
    setOpened(deed.does === "help" ? "help" : null);
    if (deed.does === "go") navigate(deed.to);
    if (deed.does === "theme") applyTheme(deed.theme);
    if (deed.does === "log out") {
      await logOut();
      navigate("/");
    }
  }

  function switchSingleKeys(on: boolean): void {
    setSingleKeys(on);
    storage.set(SINGLE_KEYS, on ? "on" : "off");
  }

  return (
    <Suspense fallback={null}>
      {opened === "palette" ? <Palette open close={close} run={(deed) => void run(deed)} /> : null}
      {opened === "help" ? (
        <HelpSheet open close={close} modifier={MODIFIER} singleKeys={singleKeys} setSingleKeys={switchSingleKeys} />
      ) : null}
    </Suspense>
  );
}

/** Selectors of search fields: the page's own field is preferred to the one in the top bar. */
const SEARCH_FIELDS = ['main input[type="search"]', '.top input[type="search"]'];

/** Focuses the first visible search field. Returns false if there is none. */
function focusSearch(): boolean {
  const fields = SEARCH_FIELDS.flatMap((fits) => [...document.querySelectorAll<HTMLInputElement>(fits)]);
  const field = fields.find(({ offsetParent }) => offsetParent !== null);
  field?.focus();
  field?.select();
  return field !== undefined;
}
