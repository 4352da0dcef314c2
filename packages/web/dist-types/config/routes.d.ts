/** Who may open a route. Whatever isn't said to be public is private. */
export type Access = "public" | "private" | "admin";
/** The frame around a page. `account` and `admin` are the default frame with a side navigation. */
export type Layout = "blank" | "default" | "docs" | "account" | "admin";
export type RouteSpec = {
    path: string;
    title: string;
    access: Access;
    layout: Layout;
    clientOnly?: true;
};
/** Every route of the site: path, title, who may open it, and its frame. */
export declare const ROUTES: readonly RouteSpec[];
