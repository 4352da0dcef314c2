import { createUuid } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type ReactNode, useCallback, useEffect, useReducer, useState } from "react";
import { type NewToast, type Toast, ToastContext, type ToastHandle } from "#/lib/toast.ts";
import styles from "./toast.module.css";
import { TOAST_DURATION_MS, TOAST_REMOVE_DELAY_MS, toastReducer } from "./toast-state.ts";

/** Provides `useToast` and renders the toasts; destructive ones are announced as alerts. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(toastReducer, []);
  const show = useCallback((toast: NewToast): ToastHandle => {
    const id = createUuid();
    dispatch({ type: "add", toast: { duration: TOAST_DURATION_MS, variant: "default", ...toast, id, open: true } });
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
    <ToastContext value={show}>
      {children}
      <div role="status" aria-live="polite">
        {toasts.filter((toast) => !isAlert(toast)).map(view)}
      </div>
      <div role="alert">{toasts.filter(isAlert).map(view)}</div>
    </ToastContext>
  );
}

type ViewProps = { toast: Toast; dismiss(): void; remove(): void };

function ToastView({ toast, dismiss, remove }: ViewProps) {
  const [isPaused, pauseHandlers] = usePaused();
  useTimeout(dismiss, toast.open && !isPaused ? toast.duration : null);
  useTimeout(remove, toast.open ? null : TOAST_REMOVE_DELAY_MS);
  if (!toast.open) return null;
  const run = () => {
    toast.action?.run();
    dismiss();
  };
  return (
    <div className={`${styles.toast} ${toast.variant}`} {...pauseHandlers}>
      <span>
        {toast.title}
        {toast.description ? <span className="small"> {toast.description}</span> : null}
      </span>
      {toast.action ? (
        <button type="button" className={styles.underlined} onClick={run}>
          {toast.action.label}
        </button>
      ) : null}
      <button type="button" className={styles.close} aria-label={t`Dismiss`} onClick={dismiss}>
        <span aria-hidden="true">×</span>
      </button>
    </div>
  );
}

/** Pauses the timer of a toast while it is hovered or focused. */
function usePaused() {
  const [isPaused, setPaused] = useState(false);
  const pause = () => setPaused(true);
  const resume = () => setPaused(false);
  return [isPaused, { onPointerEnter: pause, onPointerLeave: resume, onFocus: pause, onBlur: resume }] as const;
}

/** Runs a callback once after a delay in milliseconds; never if the delay is null. */
function useTimeout(run: () => void, delayMs: number | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function must not restart the timer
  useEffect(() => {
    if (delayMs === null || !Number.isFinite(delayMs)) return;
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
}
