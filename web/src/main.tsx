import './styles/index.css';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Root } from './app/Root.tsx';
import { readSaved } from './state/storage.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// A public page comes written out and is taken over as it is. Who was signed in before is on the way to the shell instead.
// A shared run is drawn over whatever page the address names.
if (root.hasChildNodes() && readSaved('signedIn') !== 'yes' && !location.hash.startsWith('#share='))
  hydrateRoot(root, <Root />);
else createRoot(root).render(<Root />);
