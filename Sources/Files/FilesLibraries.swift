import Base
import CZlib

extension LinkedLibrary {
    public static var ofFiles: [LinkedLibrary] { [LinkedLibrary("zlib", String(cString: zlibVersion()))] }
}
