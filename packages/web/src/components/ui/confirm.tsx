import { t } from "@lingui/core/macro";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Dialog } from "./dialog.tsx";

export type Confirmation = {
  title?: string;
  description?: ReactNode;
  cancelButtonText?: string;
  confirmButtonText?: string;
  destructive?: boolean;
  /** Runs when the person agrees; the dialog shows that it is working and closes afterwards, however it went. */
  action(): Promise<void> | void;
};

const Context = createContext<(confirmation: Confirmation) => void>(() => {});

/** Asks before doing something: `confirm({ title: "Delete key", destructive: true, action })`. */
export const useConfirm = (): ((confirmation: Confirmation) => void) => useContext(Context);

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
      // What was asked meanwhile stays.
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
