/** Whether a path belongs to a call of the API document: those under `/api/`, and the fixed addresses that other programs read. */
export const isApiPath = (url: string): boolean => url.startsWith('/api/') || url.startsWith('/.well-known/');
