import Base

extension Source: WallSource {}
