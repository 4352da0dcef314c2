import { createContext, type ReactNode, useCallback, useContext, useEffect, useReducer } from "react";
import { TOAST_DURATION, TOAST_REMOVE_DELAY, type Toast, toastReducer } from "./toast-state.ts";

type NewToast = Partial<Omit<Toast, "id" | "open">>;
const Context = createContext<(toast: NewToast) => void>(() => {});

/** Shows a short message: `const toast = useToast(); toast({ title: "Saved" })`. */
export const useToast = (): ((toast: NewToast) => void) => useContext(Context);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, dispatch] = useReducer(toastReducer, []);
  const show = useCallback((toast: NewToast) => {
    dispatch({
      type: "add",
      toast: { duration: TOAST_DURATION, variant: "default", ...toast, id: crypto.randomUUID(), open: true },
    });
  }, []);
  return (
    <Context value={show}>
      {children}
      <div role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ToastView
            key={toast.id}
            toast={toast}
            dismiss={() => dispatch({ type: "dismiss", id: toast.id })}
            remove={() => dispatch({ type: "remove", id: toast.id })}
          />
        ))}
      </div>
    </Context>
  );
}

function ToastView({ toast, dismiss, remove }: { toast: Toast; dismiss(): void; remove(): void }) {
  useEffect(() => {
    const timer = toast.open ? setTimeout(dismiss, toast.duration) : setTimeout(remove, TOAST_REMOVE_DELAY);
    return () => clearTimeout(timer);
  });
  if (!toast.open) return null;
  const run = () => {
    toast.action?.run();
    dismiss();
  };
  return (
    <div className={`toast ${toast.variant}`}>
      <span>
        {toast.title}
        {toast.description ? <span className="small"> {toast.description}</span> : null}
      </span>
      {toast.action ? (
        <button type="button" onClick={run}>
          {toast.action.label}
        </button>
      ) : null}
    </div>
  );
}
