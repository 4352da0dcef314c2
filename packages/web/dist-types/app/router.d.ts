export declare function createRouter(): import("react-router-dom").DataRouter;
