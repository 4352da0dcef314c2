import type { ReactNode } from "react";
type Props = {
    open: boolean;
    onClose(): void;
    title: string;
    description?: ReactNode;
    children?: ReactNode;
    dismissible?: boolean;
};
/** A dialog over the page. With `dismissible={false}` only its buttons close it. */
export declare function Dialog({ open, onClose, title, description, children, dismissible }: Props): import("react").JSX.Element;
/** A panel from the right, for navigation and filters on small screens. */
export declare function Sheet({ open, onClose, title, children, }: {
    open: boolean;
    onClose(): void;
    title: string;
    children: ReactNode;
}): import("react").JSX.Element;
export {};
