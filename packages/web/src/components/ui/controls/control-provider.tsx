import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import type { ReactNode } from "react";
import { directionOf } from "#/i18n/locale.ts";
import { i18n } from "#/i18n/runtime.ts";

/**
 * Tells controls of the library the direction of reading, and to leave out its style elements, which the page's content
 * security policy refuses.
 */
export function ControlProvider({ children }: { children: ReactNode }) {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={directionOf(i18n.locale)}>{children}</DirectionProvider>
    </CSPProvider>
  );
}
