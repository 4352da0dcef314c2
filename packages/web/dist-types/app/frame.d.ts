import { type ReactNode } from "react";
import type { Layout } from "#/config/routes.ts";
/** The frame of a layout around a page. */
export declare function Frame({ layout, path, children }: {
    layout: Layout;
    path: string;
    children: ReactNode;
}): import("react").JSX.Element;
