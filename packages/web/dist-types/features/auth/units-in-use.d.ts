/** Units in use by the organization just now, for the top bar. */
export declare function UnitsInUse(): import("react").JSX.Element | null;
