import { type ReactNode } from "react";
export type BarUser = {
    name: string;
    isAdmin: boolean;
} | null;
type Props = {
    user: BarUser;
    loading: boolean;
    units: ReactNode;
    wide?: boolean;
    logOut(): void;
};
export declare function TopBar({ user, loading, units, wide, logOut }: Props): import("react").JSX.Element;
export {};
