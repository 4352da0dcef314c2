import type { Locator, Page } from "playwright-core";

/** The focused element, and problems with how its focus is visible. */
type FocusStop = { label: string; problems: string[] };

const MAX_STOPS = 150;

/**
 * Presses Tab until an element has the focus. Throws if any element on the way is hidden, covered, or has no visible
 * focus style.
 */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await target.first().waitFor();
  const stops: string[] = [];
  for (let count = 0; count < MAX_STOPS; count++) {
    await page.keyboard.press(key);
    const { label, problems } = await settledStop(page);
    if (problems.length > 0) throw new Error(`${label} has the keyboard, but ${problems.join(", ")}.`);
    stops.push(label);
    if (await hasKeyboard(target)) return;
  }
  throw new Error(`Tab does not lead there. It led to:\n${stops.join("\n")}`);
}

/** Whether an element has the focus. */
export const hasKeyboard = (target: Locator): Promise<boolean> =>
  target.evaluateAll((elements) => elements.some((element) => element === document.activeElement));

/** Returns the focused element once it has settled, after at most a second. */
async function settledStop(page: Page): Promise<FocusStop> {
  for (let tries = 0; ; tries++) {
    const stop = await page.evaluate(inspectFocus);
    if (stop.problems.length === 0 || tries === 20) return stop;
    await page.waitForTimeout(50);
  }
}

/** Runs in the page. */
function inspectFocus(): FocusStop {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return { label: "the page itself", problems: [] };
  const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
  const label = `<${element.tagName.toLowerCase()}> ${name.trim().slice(0, 60)}`;
  // Focus guards of a dialog, and the page's main element after navigation, show no focus.
  if (element.matches("[data-base-ui-focus-guard], main")) return { label, problems: [] };
  const problems = [...(hasFocusStyle(element) ? [] : ["nothing shows it"]), ...(findObstruction(element) ?? [])];
  return { label, problems };

  /** By its outline, or by that of its frame for a field within one. */
  function hasFocusStyle(focused: HTMLElement): boolean {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(--accent)";
    const accent = getComputedStyle(probe).color;
    probe.remove();
    const frames = [focused, focused.parentElement, focused.parentElement?.parentElement, focused.closest("form")];
    return frames.some((frame) => {
      if (!frame) return false;
      const { outlineStyle, outlineWidth, borderTopColor, borderTopWidth } = getComputedStyle(frame);
      const outlined = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
      return outlined || (Number.parseFloat(borderTopWidth) >= 1 && borderTopColor === accent);
    });
  }

  function findObstruction(focused: HTMLElement): string[] | null {
    const rect = focused.getClientRects()[0] ?? focused.getBoundingClientRect();
    const [left, right] = [Math.max(rect.left, 0), Math.min(rect.right, innerWidth)];
    const [top, bottom] = [Math.max(rect.top, 0), Math.min(rect.bottom, innerHeight)];
    if (right - left < 1 || bottom - top < 1) return ["it is outside the window"];
    const fractions = [0.1, 0.5, 0.9];
    const isVisible = fractions.some((x) =>
      fractions.some((y) => {
        const topElement = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
        if (topElement === null) return false;
        return (
          focused.contains(topElement) ||
          topElement.contains(focused) ||
          topElement.closest("label")?.contains(focused) === true
        );
      }),
    );
    return isVisible ? null : ["it lies below something else"];
  }
}
