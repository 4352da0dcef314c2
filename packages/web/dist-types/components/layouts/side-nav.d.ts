export type SideGroup = {
    title: string;
    links: readonly {
        label: string;
        to: string;
    }[];
};
export declare const ACCOUNT_NAV: readonly SideGroup[];
export declare const ADMIN_NAV: readonly SideGroup[];
export declare function SideNav({ groups, label }: {
    groups: readonly SideGroup[];
    label: string;
}): import("react").JSX.Element;
