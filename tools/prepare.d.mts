export const projectRoot: string;
export function isInstalled(root: string): boolean;
export function projectNode(root: string): string | undefined;
export function ensureInstalled(root: string): Promise<void>;
export function consoleHash(root: string): string;
export function isConsoleBuilt(root: string): boolean;
export function ensureConsole(root: string): Promise<void>;
export function orExplain<T>(work: () => Promise<T>): Promise<T>;
export function become(root: string, args: string[]): void;
