export { arenaHighWater, arenaMark, arenaRelease, arenaReserve, arenaReset } from './memory';
