import { type RefObject, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router-dom";

/** Returns whether the page is used by touch. There, focusing a field would open a keyboard over half of the screen. */
export const isTouchDevice = (): boolean => globalThis.matchMedia?.("(pointer: coarse)").matches ?? false;

/**
 * Focuses the main field of a page when the page opens, and whenever a link or a button leads to it again; not on touch
 * devices, and not when only the state in the address has changed.
 */
export function useInitialFocus(field: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const type = useNavigationType();
  const visited = useRef<string | null>(null);
  useEffect(() => {
    if (visited.current === key) return;
    const isFirst = visited.current === null;
    visited.current = key;
    if ((isFirst || type !== "REPLACE") && !isTouchDevice()) field.current?.focus();
  }, [key, type, field]);
}
