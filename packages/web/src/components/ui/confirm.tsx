import { t } from "@lingui/core/macro";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Dialog } from "./dialog.tsx";

/** The texts of a confirmation dialog and the action to confirm. */
export type Confirmation = {
  title?: string;
  description?: ReactNode;
  cancelButtonText?: string;
  confirmButtonText?: string;
  destructive?: boolean;
  /** Runs on confirmation; the dialog shows progress and closes afterwards, also after an error. */
  action(): Promise<void> | void;
};

const Context = createContext<(confirmation: Confirmation) => void>(() => {});

/** Asks before doing something: `confirm({ title: "Delete key", destructive: true, action })`. */
export const useConfirm = (): ((confirmation: Confirmation) => void) => useContext(Context);

/** Provides `useConfirm` and renders the confirmation dialog. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Confirmation | null>(null);
  const [processing, setProcessing] = useState(false);
  const close = useCallback(() => setAsked(null), []);

  async function run(): Promise<void> {
    if (processing || asked === null) return;
    setProcessing(true);
    try {
      await asked.action();
    } catch (error) {
      console.error(error);
    } finally {
      setProcessing(false);
      // Keep a confirmation that was opened in the meantime.
      setAsked((current) => (current === asked ? null : current));
    }
  }

  return (
    <Context value={setAsked}>
      {children}
      <Dialog
        open={asked !== null}
        onClose={() => !processing && close()}
        title={asked?.title ?? t`Confirmation`}
        description={asked?.description}
        role="alertdialog"
      >
        <div className="actions">
          <button type="button" className="btn" onClick={close} disabled={processing}>
            {asked?.cancelButtonText ?? t`Cancel`}
          </button>
          <button
            type="button"
            className={`btn primary${asked?.destructive ? " danger" : ""}`}
            onClick={run}
            disabled={processing}
            aria-busy={processing}
          >
            {processing ? <span className="spinner" aria-hidden="true" /> : null}
            {asked?.confirmButtonText ?? t`Confirm`}
          </button>
          <span className="visually-hidden" role="status">
            {processing ? t`Working` : ""}
          </span>
        </div>
      </Dialog>
    </Context>
  );
}
