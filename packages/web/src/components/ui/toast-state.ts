import type { ReactNode } from "react";

const TOAST_LIMIT = 1;
export const TOAST_REMOVE_DELAY = 3000;
export const TOAST_DURATION = 3000;

export type Toast = {
  id: string;
  title?: ReactNode;
  description?: ReactNode;
  action?: { label: string; run(): void };
  open: boolean;
  duration: number;
  variant: "default" | "destructive" | "success";
};

export type ToastAction =
  | { type: "add"; toast: Toast }
  | { type: "update"; toast: Partial<Toast> & { id: string } }
  | { type: "dismiss"; id?: string }
  | { type: "remove"; id?: string };

/** The toasts after an action. At most one is kept: the newest replaces the one before. */
export function toastReducer(toasts: readonly Toast[], action: ToastAction): readonly Toast[] {
  switch (action.type) {
    case "add":
      return [action.toast, ...toasts].slice(0, TOAST_LIMIT);
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
