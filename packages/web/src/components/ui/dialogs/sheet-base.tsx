import { Dialog as Base } from "@base-ui/react/dialog";
import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";

/** Props of `Sheet` and `SheetBase`. */
export type SheetProps = {
  open: boolean;
  onClose(): void;
  title: string;
  side?: "start" | "end";
  /** Whether it is wide enough for names and values side by side. */
  isWide?: boolean;
  children: ReactNode;
};

/** A panel from one side, the end by default: for navigation and filters on small screens, and for details. */
export function SheetBase({ open, onClose, title, side = "end", isWide = false, children }: SheetProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-back" />
        <Base.Popup className={side === "start" ? "sheet from-start" : isWide ? "sheet wide" : "sheet"}>
          <div className="row between mb-4">
            <Base.Title className="h4">{title}</Base.Title>
            <Base.Close className="btn ghost">{t`Close`}</Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
