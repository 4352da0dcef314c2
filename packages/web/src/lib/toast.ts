import { createContext, type ReactNode, useContext } from "react";

/** A short message about something that has happened; `duration` is in milliseconds. */
export type Toast = {
  id: string;
  title?: ReactNode;
  description?: ReactNode;
  action?: { label: string; run(): void };
  open: boolean;
  duration: number;
  variant: "default" | "destructive" | "success";
};

/** What a toast says; the rest is set when it is shown. */
export type NewToast = Partial<Omit<Toast, "id" | "open">>;

/** Changes or closes a toast that is shown. */
export type ToastHandle = { id: string; update(change: NewToast): void; dismiss(): void };

const NO_TOAST: ToastHandle = { id: "", update: () => {}, dismiss: () => {} };

/** Gives `useToast` the function that shows a toast. */
export const ToastContext = createContext<(toast: NewToast) => ToastHandle>(() => NO_TOAST);

/** Returns a function that shows a short message: `const toast = useToast(); toast({ title: "Saved" })`. */
export const useToast = (): ((toast: NewToast) => ToastHandle) => useContext(ToastContext);
