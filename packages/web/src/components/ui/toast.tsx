import { t } from "@lingui/core/macro";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useReducer, useState } from "react";
import { TOAST_DURATION, TOAST_REMOVE_DELAY, type Toast, toastReducer } from "./toast-state.ts";

type NewToast = Partial<Omit<Toast, "id" | "open">>;
/** Changes or closes a toast that is shown. */
type ToastHandle = { id: string; update(change: NewToast): void; dismiss(): void };

const NONE: ToastHandle = { id: "", update: () => {}, dismiss: () => {} };
const Context = createContext<(toast: NewToast) => ToastHandle>(() => NONE);

/** Shows a short message: `const toast = useToast(); toast({ title: "Saved" })`. */
export const useToast = (): ((toast: NewToast) => ToastHandle) => useContext(Context);

/** Provides `useToast` and renders the toasts; destructive ones are announced as alerts. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(toastReducer, []);
  const show = useCallback((toast: NewToast): ToastHandle => {
    const id = crypto.randomUUID();
    dispatch({ type: "add", toast: { duration: TOAST_DURATION, variant: "default", ...toast, id, open: true } });
    return {
      id,
      update: (change) => dispatch({ type: "update", toast: { ...change, id } }),
      dismiss: () => dispatch({ type: "dismiss", id }),
    };
  }, []);
  const view = (toast: Toast) => (
    <ToastView
      key={toast.id}
      toast={toast}
      dismiss={() => dispatch({ type: "dismiss", id: toast.id })}
      remove={() => dispatch({ type: "remove", id: toast.id })}
    />
  );
  const isAlert = ({ variant }: Toast) => variant === "destructive";
  return (
    <Context value={show}>
      {children}
      <div role="status" aria-live="polite">
        {toasts.filter((toast) => !isAlert(toast)).map(view)}
      </div>
      <div role="alert">{toasts.filter(isAlert).map(view)}</div>
    </Context>
  );
}

type ViewProps = { toast: Toast; dismiss(): void; remove(): void };

function ToastView({ toast, dismiss, remove }: ViewProps) {
  const [held, hold] = useHeld();
  useDelayed(dismiss, toast.open && !held ? toast.duration : null);
  useDelayed(remove, toast.open ? null : TOAST_REMOVE_DELAY);
  if (!toast.open) return null;
  const run = () => {
    toast.action?.run();
    dismiss();
  };
  return (
    <div className={`toast ${toast.variant}`} {...hold}>
      <span>
        {toast.title}
        {toast.description ? <span className="small"> {toast.description}</span> : null}
      </span>
      {toast.action ? (
        <button type="button" className="underlined" onClick={run}>
          {toast.action.label}
        </button>
      ) : null}
      <button type="button" className="close" aria-label={t`Dismiss`} onClick={dismiss}>
        <span aria-hidden="true">×</span>
      </button>
    </div>
  );
}

/** Pauses the timer of a toast while it is hovered or focused. */
function useHeld() {
  const [held, setHeld] = useState(false);
  const take = () => setHeld(true);
  const release = () => setHeld(false);
  return [held, { onPointerEnter: take, onPointerLeave: release, onFocus: take, onBlur: release }] as const;
}

/** Runs a callback once after a delay in milliseconds; never if the delay is null. */
function useDelayed(run: () => void, delay: number | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function must not restart the timer
  useEffect(() => {
    if (delay === null || !Number.isFinite(delay)) return;
    const timer = setTimeout(run, delay);
    return () => clearTimeout(timer);
  }, [delay]);
}
