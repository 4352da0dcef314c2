import type { Toast } from "#/lib/toast.ts";

const MAX_TOASTS = 1;
/** How long a dismissed toast stays in the state, in milliseconds. */
export const TOAST_REMOVE_DELAY_MS = 3000;
/** How long a toast is shown by default, in milliseconds. */
export const TOAST_DURATION_MS = 3000;

/** An action of `toastReducer`; without an id it applies to all toasts. */
export type ToastAction =
  | { type: "add"; toast: Toast }
  | { type: "update"; toast: Partial<Toast> & { id: string } }
  | { type: "dismiss"; id?: string }
  | { type: "remove"; id?: string };

/** Returns the toasts after an action. Only the newest toast is kept. */
export function toastReducer(toasts: readonly Toast[], action: ToastAction): readonly Toast[] {
  switch (action.type) {
    case "add":
      return [action.toast, ...toasts].slice(0, MAX_TOASTS);
    case "update":
      return toasts.map((toast) => (toast.id === action.toast.id ? { ...toast, ...action.toast } : toast));
    case "dismiss":
      return toasts.map((toast) =>
        action.id === undefined || toast.id === action.id ? { ...toast, open: false } : toast,
      );
    case "remove":
      return action.id === undefined ? [] : toasts.filter((toast) => toast.id !== action.id);
  }
}
