/** Where a call to action led, until the shell opens it: the address loses it when the user has signed in. */
export const promisedPlace = { search: '' };
